/** `npm run restore -- FILE --erasures LIST`: into an empty database, while no server runs. */
import { runRestore } from '../src/app/backup.ts'
import { runBackupCommand } from './backup-command.ts'

await runBackupCommand(runRestore)
