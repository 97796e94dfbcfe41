/** Backup and restore as commands of the server: what is asked for, in which order it is checked, and what is done after the rows are back. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { errorOf } from '#domain/thrown.ts'
import { startErasure } from '#features/desk/erasure/erasure.commands.ts'
import { erasePersons } from '#features/desk/erasure/erasure.task.ts'
import {
  type ErasureRecord,
  erasureRecords,
  type RepeatedErasure,
  readErasureList,
  repeatErasures,
} from '#features/desk/erasure/repeated-erasures.commands.ts'
import type { Manifest } from '#platform/backup/archive.ts'
import { writeBackup } from '#platform/backup/backup.ts'
import { BackupError } from '#platform/backup/backup-error.ts'
import { checkArchive, checkMigrations, inspectTarget, keysOf, restoreArchive } from '#platform/backup/restore.ts'
import type { Config } from '#platform/config.ts'
import { readPersonalKey, readSecretKey } from '#platform/crypto/vault.ts'
import { openFiles } from '#platform/files/file-store.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { createApp } from './create-app.ts'
import { erasureParts } from './erasure-parts.ts'

const backupUsage = `npm run backup -- FILE [--without-key]

  Writes the database, the stored files, the secret key and the personal key into FILE while the server runs. Both keys are
  encrypted with the passphrase of BACKUP_PASSPHRASE, which is asked for where it is not set.`

const restoreUsage = `npm run restore -- FILE --erasures LIST [--replace]

  --erasures LIST   persons who were erased after the backup are erased again: the output of "npm run -s admin -- erasure list"
                    of the newest state. "none" where no list exists. With --replace the database's own list is used too.
  --replace         deletes what the database holds`

interface CommandRequest {
  config: Config
  url: string
  words: readonly string[]
  /** Asked for at most once. */
  passphrase: () => Promise<string>
  log: (line: string) => void
  signal: AbortSignal
}

export async function runBackup({ config, url, words, passphrase, log, signal }: CommandRequest): Promise<string> {
  const { path, without } = readWords(words, backupUsage, ({ values, positionals }) => ({
    path: positionals.length === 1 ? positionals[0] : undefined,
    without: values['without-key'] === true,
  }))
  const key = without
    ? {}
    : {
        key: {
          secret: await readSecretKey(config.secret_key, config.data_dir),
          personal: await readPersonalKey(config.personal_key, config.data_dir),
          passphrase: await passphrase(),
        },
      }
  const manifest = await writeBackup({ path, url, files: openFiles(config), version: config.version, ...key, log, signal })
  return `${path} holds ${sumOf(manifest)}.${without ? ' It does not hold the keys.' : ''}`
}

export async function runRestore({ config, url, words, passphrase, log, signal }: CommandRequest): Promise<string> {
  const { path, erasures, replace } = readWords(words, restoreUsage, ({ values, positionals }) => ({
    path: positionals.length === 1 && values.erasures !== undefined ? positionals[0] : undefined,
    erasures: values.erasures ?? 'none',
    replace: values.replace === true,
  }))
  const list = erasures === 'none' ? [] : await listIn(erasures)
  log(`Checking ${path}`)
  const archive = await checkArchive(path, signal)
  await checkMigrations(archive)
  const { secret, personal } = await keysOf(archive, passphrase)
  if (secret !== null && config.secret_key !== undefined && config.secret_key !== secret)
    throw new BackupError('SECRET_KEY is not the secret key of the backup. Set it to that key, or leave it out.')
  if (personal !== null && config.personal_key !== undefined && config.personal_key !== personal)
    throw new BackupError('PERSONAL_KEY is not the personal key of the backup. Set it to that key, or leave it out.')
  const target = await inspectTarget(url)
  if (target.others > 0) throw new BackupError('Other programs are connected to the database. Stop Pakhus on all servers first.')
  if (target.filled && !replace) throw new BackupError('The database is not empty. --replace deletes what it holds.')
  await mkdir(config.data_dir, { recursive: true })
  if (target.filled) list.push(...(await keepOwnList(config, url, log)))
  if (secret !== null && config.secret_key === undefined) await putKey(join(config.data_dir, 'secret.key'), secret, log)
  if (personal !== null && config.personal_key === undefined) await putKey(join(config.data_dir, 'personal.key'), personal, log)

  let repeated: RepeatedErasure[] = []
  const files = openFiles(config)
  await restoreArchive({
    archive,
    url,
    files,
    // In the same transaction: a restore that ends here leaves them waiting, never forgotten.
    beforeCommit: async client => {
      repeated = await repeatErasures(client, list)
    },
    log,
    signal,
  })
  const erased = await eraseAgain(config, url, repeated)
  return [
    `Restored ${sumOf(archive.manifest)} of ${archive.head.created_at}; all rows and files are those of the backup.`,
    ...(repeated.length > 0
      ? [`${erased} of ${repeated.length} erasures were repeated; the server carries out the others when it runs.`]
      : []),
    ...(archive.head.key
      ? []
      : [`${path} holds no keys: put those of its server into the data folder, or secrets and CPR numbers must be entered anew.`]),
  ].join('\n')
}

function readWords<T extends { path: string | undefined }>(
  words: readonly string[],
  usage: string,
  read: (words: ReturnType<typeof parsed>) => T,
): T & { path: string } {
  try {
    const answer = read(parsed(words))
    if (answer.path !== undefined) return { ...answer, path: answer.path }
  } catch (error) {
    throw new BackupError(`${errorOf(error).message}\n\n${usage}`, { cause: error })
  }
  throw new BackupError(usage)
}

const parsed = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { 'without-key': { type: 'boolean' }, replace: { type: 'boolean' }, erasures: { type: 'string' } },
  })

const sumOf = ({ tables, files }: Manifest): string =>
  `${Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)} rows of ${Object.keys(tables).length} tables and ${files.count} files`

async function listIn(path: string): Promise<ErasureRecord[]> {
  try {
    return readErasureList(await readFile(path, 'utf8'))
  } catch (error) {
    throw new BackupError(`${path} is no list of erasures (${errorOf(error).message}).`, { cause: error })
  }
}

/** The list of the database that is replaced, kept in a file until a person removes it: an interrupted restore needs it again. */
async function keepOwnList({ data_dir }: Config, url: string, log: (line: string) => void): Promise<ErasureRecord[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const list = await erasureRecords(client).finally(() => client.end())
  if (list.length === 0) return []
  const path = join(data_dir, `erasures-${fileTime()}.json`)
  await writeFile(path, JSON.stringify(list), { mode: 0o600, flush: true })
  log(`The erasures of the database are kept in ${path}`)
  return list
}

/** Written before the rows: rows without their key could not be read, and a key without rows does no harm. */
async function putKey(path: string, key: string, log: (line: string) => void): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => undefined)
  if (present?.trim() === key) return
  if (present !== undefined) {
    await rename(path, `${path}-${fileTime()}`)
    log(`The former key is kept in ${path}-…`)
  }
  await writeFile(path, key, { mode: 0o600, flag: 'wx', flush: true })
}

const fileTime = () => new Date().toISOString().replace(/\D/g, '').slice(0, 14)

/** Carries out the erasures that were done before, whether their orders are open again or not; answers how many. */
async function eraseAgain(config: Config, url: string, repeated: readonly RepeatedErasure[]): Promise<number> {
  const done = repeated.filter(({ was_done }) => was_done)
  if (done.length === 0) return 0
  const app = await createApp(config, url)
  try {
    for (const { operator_id, company_id, id } of done) {
      const context = createSystemContext(app.services, { operator_id, company_id, companies: [company_id] })
      const job_id = await context.transaction(inside => startErasure(inside, id, { whileOpen: true }))
      if (job_id !== null) await erasePersons(erasureParts)({ job_id, erasure_id: id }, { ...context, last_try: true })
    }
    return done.length
  } finally {
    await app.close()
  }
}
