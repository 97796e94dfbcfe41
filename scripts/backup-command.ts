/** What backup and restore share: settings, the database, the passphrase, and an order to stop. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { runBackup } from '../src/app/backup.ts'
import { errorOf } from '../src/domain/thrown.ts'
import { BackupError } from '../src/platform/backup/backup-error.ts'
import { readConfig } from '../src/platform/config.ts'
import { startPostgres } from '../src/platform/postgres/embedded-postgres.ts'

export async function runBackupCommand(run: typeof runBackup): Promise<void> {
  const log = (line: string) => void process.stderr.write(`${line}\n`)
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () =>
      stopped.abort(new BackupError('Stopped before the end: a backup leaves no file then, a restore an empty database.')),
    )
  let own: Awaited<ReturnType<typeof startPostgres>> | undefined
  try {
    const config = readConfig(process.env)
    own = config.database_url ? undefined : await startPostgres({ dataDir: `${config.data_dir}/postgres`, log: () => undefined })
    const url = config.database_url ?? own?.url ?? ''
    const passphrase = async () => config.backup_passphrase ?? (await askHidden('Passphrase of the backup: ', stopped.signal))
    console.log(await run({ config, url, words: process.argv.slice(2), passphrase, log, signal: stopped.signal }))
  } catch (error) {
    const cause = stopped.signal.aborted ? stopped.signal.reason : error
    console.error(cause instanceof BackupError ? cause.message : errorOf(cause))
    process.exitCode = 1
  } finally {
    // A server that runs already is another program's; the supervisor leaves it to that.
    await own?.stop()
  }
}

/** Reads a line from the terminal without showing it. */
async function askHidden(question: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) throw new BackupError('Set BACKUP_PASSPHRASE, at least 12 characters.')
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    const typed = await terminal.question('', { signal })
    if (typed.length < 12) throw new BackupError('A passphrase needs at least 12 characters.')
    return typed
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
