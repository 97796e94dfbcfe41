/** `npm run backup -- FILE`: works beside a running server and without one. */
import { runBackup } from '../src/app/backup.ts'
import { runBackupCommand } from './backup-command.ts'

await runBackupCommand(runBackup)
