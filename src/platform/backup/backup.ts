/** A backup while the server runs: all tables as of one moment, the stored files that they name, and the secret key under a passphrase. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { errorOf } from '#domain/thrown.ts'
import { FileMissing, type FileStore } from '#platform/files/file-store.ts'
import { type ArchiveWriter, headName, type Manifest, manifestName, newHead, writeArchive } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { sealKey } from './sealed-key.ts'
import { fixText, rowsOf, sequencesOf, TableSummer, tablesOf } from './tables.ts'

/** A tar entry names its size first, so a table is written in pieces of this size. */
const pieceBytes = 4 * 2 ** 20
const filesAtOnce = 500

export interface BackupRequest {
  path: string
  /** Of a login that owns the tables. */
  url: string
  files: FileStore
  version: string
  /** Absent: the backup holds no key. */
  key?: { secret: string; personal: string; passphrase: string }
  log: (line: string) => void
  signal: AbortSignal
}

/** Writes the backup and answers its list of contents. */
export async function writeBackup({ path, url, files, version, key, log, signal }: BackupRequest): Promise<Manifest> {
  const sealed = key ? await sealKey(key.secret, key.passphrase) : null
  const sealedPersonal = key ? await sealKey(key.personal, key.passphrase) : null
  const client = new pg.Client({ connectionString: url, application_name: 'pakhus backup' })
  // The next statement throws the same.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await fixText(client)
    await client.query('begin isolation level repeatable read, read only')
    const { rows: applied } = await client
      .query<{ name: string; sha256: string | null }>('select name, sha256 from migrations order by name')
      .catch(error => {
        throw new BackupError(`This database is not one of Pakhus (${errorOf(error).message}).`)
      })
    const tables = await tablesOf(client)
    const server = await client.query<{ server_version: string }>('show server_version')
    const head = newHead({
      version,
      created_at: new Date().toISOString(),
      postgres: server.rows[0]?.server_version ?? '',
      migrations: applied,
      tables: tables.map(({ name, columns }) => ({ name, columns })),
      key: sealed,
      personal_key: sealedPersonal,
    })
    const headText = Buffer.from(JSON.stringify(head, null, 2))
    const manifest: Manifest = {
      head_sha256: createHash('sha256').update(headText).digest('hex'),
      tables: {},
      files: { count: 0, bytes: 0, sha256: '' },
      sequences: [],
    }
    await writeArchive(path, signal, async archive => {
      await archive.add(headName, headText.length, [headText])
      for (const [place, table] of tables.entries()) {
        await client.query(`set local role ${table.forced ? 'pakhus_system' : 'none'}`)
        const summer = new TableSummer()
        await addInPieces(archive, `tables/${table.name}`, rowsOf(client, table), summer)
        const sum = summer.sum()
        manifest.tables[table.name] = sum
        if (sum.rows > 0) log(`${place + 1} of ${tables.length} tables: ${table.name}, ${sum.rows} rows`)
      }
      await client.query('set local role none')
      manifest.sequences = await sequencesOf(client)
      manifest.files = await addFiles({ client, archive, files, log })
      const text = Buffer.from(JSON.stringify(manifest, null, 2))
      await archive.add(manifestName, text.length, [text])
    })
    return manifest
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function addInPieces(archive: ArchiveWriter, name: string, content: AsyncIterable<Buffer>, summer: TableSummer): Promise<void> {
  let [pieces, bytes, number]: [Buffer[], number, number] = [[], 0, 0]
  const flush = async () => {
    await archive.add(`${name}/${String(++number).padStart(6, '0')}`, bytes, pieces)
    pieces = []
    bytes = 0
  }
  for await (const piece of content) {
    summer.add(piece)
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= pieceBytes) await flush()
  }
  if (bytes > 0) await flush()
}

/** Content that an erasure removed after the moment of the backup is left out: it must not come back. */
async function addFiles({
  client,
  archive,
  files,
  log,
}: {
  client: pg.Client
  archive: ArchiveWriter
  files: FileStore
  log: (line: string) => void
}): Promise<Manifest['files']> {
  const list = createHash('sha256')
  let [count, sum]: [number, number] = [0, 0]
  await client.query('set local role pakhus_system')
  await client.query(`declare stored no scroll cursor for select distinct operator_id, sha256, bytes::bigint from files
    where erased_at is null and removed_at is null order by 1, 2`)
  for (;;) {
    const { rows } = await client.query<{ operator_id: string; sha256: string; bytes: string }>(`fetch ${filesAtOnce} from stored`)
    for (const row of rows) {
      const [operator_id, bytes] = [Number(row.operator_id), Number(row.bytes)]
      const content = await files.open(operator_id, { sha256: row.sha256, bytes }).catch(error => {
        if (error instanceof FileMissing) return undefined
        throw error
      })
      if (!content) {
        log(`The file ${row.sha256} is not in the file store and is left out`)
        continue
      }
      await archive.add(`files/${operator_id}/${row.sha256}`, bytes, content)
      list.update(`${operator_id}/${row.sha256}\n`)
      count++
      sum += bytes
    }
    if (rows.length > 0) log(`${count} files, ${Math.ceil(sum / 1_000_000)} MB`)
    if (rows.length < filesAtOnce) return { count, bytes: sum, sha256: list.digest('hex') }
  }
}
