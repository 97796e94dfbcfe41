/** A restore: the whole archive is checked first, then copied in one transaction into an empty database and compared with its list. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrate, migrationSums } from '#platform/database/migrate.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import { type Head, headName, type Manifest, manifestName, readArchive, readHead, readManifest } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { openSealedKey } from './sealed-key.ts'
import { copyInStatement, fixText, rowsOf, setSequences, TableSummer, tablesOf, unbindTables } from './tables.ts'

export interface CheckedArchive {
  path: string
  head: Head
  manifest: Manifest
}

const sha256 = (text: Uint8Array) => createHash('sha256').update(text).digest('hex')

async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content))
}

/** The table of an entry `tables/<name>/<number>`. */
const tableOf = (entry: string): string | undefined => /^tables\/([^/]+)\/\d+$/.exec(entry)?.[1]
/** The file of an entry `files/<operator>/<hash>`. */
function fileOf(entry: string): { operator_id: number; sha256: string } | undefined {
  const [, operator, hash] = /^files\/(\d+)\/([0-9a-f]{64})$/.exec(entry) ?? []
  return operator && hash ? { operator_id: Number(operator), sha256: hash } : undefined
}

/** Reads the archive to its end and compares everything in it with its list. Throws `BackupError` and changes nothing. */
export async function checkArchive(path: string, signal: AbortSignal): Promise<CheckedArchive> {
  let head: Buffer | undefined
  let manifest: Manifest | undefined
  const summers = new Map<string, TableSummer>()
  const list = createHash('sha256')
  let [count, bytes]: [number, number] = [0, 0]
  for await (const { name, content } of readArchive(path, signal)) {
    const table = tableOf(name)
    const file = fileOf(name)
    if (name === headName) head = await wholeOf(content)
    else if (name === manifestName) manifest = readManifest((await wholeOf(content)).toString())
    else if (table !== undefined) {
      const summer = summers.get(table) ?? new TableSummer()
      summers.set(table, summer)
      for await (const piece of content) summer.add(piece)
    } else if (file) {
      const hash = createHash('sha256')
      for await (const piece of content) {
        hash.update(piece)
        bytes += piece.length
      }
      if (hash.digest('hex') !== file.sha256) throw new BackupError(`The file ${file.sha256} in the backup is damaged.`)
      list.update(`${file.operator_id}/${file.sha256}\n`)
      count++
    } else throw new BackupError(`The backup has an entry that does not belong to it: ${name}`)
  }
  if (!head || !manifest) throw new BackupError('The backup is incomplete: its beginning or its end is missing.')
  const read = readHead(head.toString())
  if (sha256(head) !== manifest.head_sha256) throw new BackupError('The beginning of the backup is damaged.')
  for (const { name } of read.tables) compareSum(name, (summers.get(name) ?? new TableSummer()).sum(), manifest, 'in the backup')
  if (count !== manifest.files.count || bytes !== manifest.files.bytes || list.digest('hex') !== manifest.files.sha256)
    throw new BackupError('Files of the backup are missing.')
  return { path, head: read, manifest }
}

function compareSum(table: string, found: { rows: number; sha256: string }, { tables }: Manifest, where: string): void {
  const expected = tables[table]
  if (found.rows !== expected?.rows) throw new BackupError(`${table} has ${found.rows} rows ${where}, and should have ${expected?.rows}.`)
  if (found.sha256 !== expected.sha256) throw new BackupError(`The rows of ${table} ${where} are not those of the backup.`)
}

/** The keys of the backup, each null where it holds none. */
export async function keysOf(
  { head }: CheckedArchive,
  passphrase: () => Promise<string>,
): Promise<{ secret: string | null; personal: string | null }> {
  const { key, personal_key } = head
  if (!key && !personal_key) return { secret: null, personal: null }
  const typed = await passphrase()
  return {
    secret: key ? await openSealedKey(key, typed) : null,
    personal: personal_key ? await openSealedKey(personal_key, typed) : null,
  }
}

/** Refuses backups of newer versions, and of versions whose migrations are others. */
export async function checkMigrations({ head }: CheckedArchive): Promise<void> {
  const known = await migrationSums()
  for (const { name, sha256 } of head.migrations) {
    const own = known[name]
    if (own === undefined)
      throw new BackupError(`The backup was made by a newer version (${head.version}): it has ${name}. Install that version.`)
    if (sha256 !== null && sha256 !== own) throw new BackupError(`The backup was made with another ${name} than this version has.`)
  }
}

export interface Target {
  /** It has tables of Pakhus with at least one company. */
  filled: boolean
  /** Connections of other programs. */
  others: number
}

/** What stands where the restore would write. */
export async function inspectTarget(url: string): Promise<Target> {
  return withClient(url, async client => {
    const others = await client.query<{ n: number }>(
      `select count(*)::int n from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
       and pid <> pg_backend_pid() and application_name <> 'pakhus supervisor'`,
    )
    const tables = await client.query<{ companies: boolean; n: number }>(
      `select to_regclass('public.companies') is not null companies, (select count(*)::int from pg_class c
       join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p')) n`,
    )
    const { companies = false, n = 0 } = tables.rows[0] ?? {}
    return { filled: companies ? await hasCompany(client) : n > 0 && !(await isHalfMigrated(client)), others: others.rows[0]?.n ?? 0 }
  })
}

async function hasCompany(client: pg.Client): Promise<boolean> {
  await client.query('begin')
  await client.query('set local role pakhus_system')
  const { rowCount } = await client.query('select from companies limit 1')
  await client.query('rollback')
  return rowCount !== 0
}

/** An interrupted first start or restore leaves tables of the migrations without a company. */
async function isHalfMigrated(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(`select to_regclass('public.migrations') is not null present`)
  return rows[0]?.present === true
}

export interface RestoreRequest {
  archive: CheckedArchive
  url: string
  files: FileStore
  /** Part of the same transaction, after the rows were compared. */
  beforeCommit(client: pg.Client): Promise<void>
  log: (line: string) => void
  signal: AbortSignal
}

/** Empties the database, copies the backup into it and brings it to the present version. */
export async function restoreArchive({ archive, url, files, beforeCommit, log, signal }: RestoreRequest): Promise<void> {
  const { head, manifest } = archive
  await withClient(url, async client => {
    await client.query(`begin; drop schema if exists graphile_worker cascade; drop schema public cascade; create schema public;
      grant usage on schema public to public; commit`)
  })
  log(`Creating the tables of version ${head.version}`)
  await migrate(url, { only: new Set(head.migrations.map(({ name }) => name)) })
  await withClient(url, async client => {
    await fixText(client)
    await client.query('begin')
    const tables = await tablesOf(client)
    const listed = JSON.stringify(head.tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    const present = JSON.stringify(tables.map(({ name, columns }) => ({ name, columns })).toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    if (listed !== present) throw new BackupError('The tables of the backup are not those of its version.')
    const bindTables = await unbindTables(client, tables)
    await copyAll({ archive, client, files, log, signal })
    log('Comparing the rows')
    for (const table of tables) {
      signal.throwIfAborted()
      const summer = new TableSummer()
      for await (const piece of rowsOf(client, table)) summer.add(piece)
      compareSum(table.name, summer.sum(), manifest, 'after the restore')
    }
    await bindTables()
    await setSequences(client, manifest.sequences)
    // Work that a server had begun when the backup was made: the next server takes it up at once.
    await client.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null')
    await client.query('update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null')
    await beforeCommit(client)
    signal.throwIfAborted()
    await client.query('commit')
  })
  log('Bringing the tables to the present version')
  await migrate(url)
  await withClient(url, client => client.query('analyze'))
}

async function copyAll({
  archive: { path, head, manifest },
  client,
  files,
  log,
  signal,
}: Pick<RestoreRequest, 'archive' | 'files' | 'log' | 'signal'> & { client: pg.Client }): Promise<void> {
  const columnsOf = new Map(head.tables.map(({ name, columns }) => [name, columns]))
  let open: { name: string; stream: ReturnType<typeof copyFrom> } | undefined
  let count = 0
  const end = async () => {
    if (!open) return
    const { name, stream } = open
    open = undefined
    stream.end()
    await finished(stream)
    log(`${name}: ${manifest.tables[name]?.rows} rows`)
  }
  for await (const { name, content } of readArchive(path, signal)) {
    const table = tableOf(name)
    const file = fileOf(name)
    if (table !== open?.name) await end()
    if (table !== undefined) {
      open ??= {
        name: table,
        stream: client.query(copyFrom(copyInStatement(client, { name: table, columns: columnsOf.get(table) ?? [] }))),
      }
      const { stream } = open
      for await (const piece of content) if (!stream.write(piece)) await Promise.race([once(stream, 'drain', { signal }), finished(stream)])
    } else if (file) {
      const stored = await files.put(file.operator_id, content)
      if (stored.sha256 !== file.sha256) throw new BackupError(`The file ${file.sha256} was not stored as it is in the backup.`)
      if (++count % 1_000 === 0) log(`${count} of ${manifest.files.count} files`)
    } else for await (const _ of content);
  }
  await end()
}

async function withClient<T>(url: string, step: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'pakhus restore' })
  // The next statement throws the same.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await step(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
