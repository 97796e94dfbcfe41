/** The archive of a backup: a tar file compressed with zstd, written and read as a stream. */
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import tar from 'tar-stream'
import * as z from 'zod'
import { errorOf } from '#domain/thrown.ts'
import { BackupError } from './backup-error.ts'

const format = 1
export const headName = 'backup.json'
export const manifestName = 'manifest.json'

const Sealed = z.object({ salt: z.string(), iv: z.string(), tag: z.string(), data: z.string() })
export type SealedKey = z.infer<typeof Sealed>

/** The first entry: what must fit before anything is restored. */
const Head = z.object({
  product: z.literal('pakhus'),
  format: z.literal(format),
  version: z.string(),
  created_at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string().nullable() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Absent where the backup was made without the secret key. */
  key: Sealed.nullable(),
  /** Of social security numbers; backups of older versions have none. */
  personal_key: Sealed.nullable().default(null),
})
export type Head = z.infer<typeof Head>
export const newHead = (head: Omit<Head, 'product' | 'format'>): Head => ({ product: 'pakhus', format, ...head })

const Sum = z.object({ rows: z.number(), sha256: z.string() })
export type TableSum = z.infer<typeof Sum>

/** The last entry: what a restore compares. */
const Manifest = z.object({
  head_sha256: z.string(),
  tables: z.record(z.string(), Sum),
  files: z.object({ count: z.number(), bytes: z.number(), sha256: z.string() }),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
})
export type Manifest = z.infer<typeof Manifest>

export interface ArchiveWriter {
  add(name: string, size: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>
}

/** Writes an archive beside its place and moves it there when it is complete and on the disk. A failure leaves nothing behind. */
export async function writeArchive(path: string, signal: AbortSignal, fill: (archive: ArchiveWriter) => Promise<void>): Promise<void> {
  const part = `${path}.part`
  const existing = await open(path, 'r').catch(() => undefined)
  await existing?.close()
  if (existing) throw new BackupError(`${path} exists already.`)
  const pack = tar.pack()
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } })
  const writing = pipeline(pack, compress, createWriteStream(part, { mode: 0o600 }), { signal })
  // Its failure is thrown below; until then another await may be pending.
  writing.catch(() => undefined)
  try {
    await Promise.race([
      fill({
        async add(name, size, content) {
          signal.throwIfAborted()
          await pipeline(Readable.from(content, { objectMode: false }), pack.entry({ name, size, mode: 0o600 }), { signal })
        },
      }),
      writing.then(() => new Promise<never>(() => undefined)),
    ])
    pack.finalize()
    await writing
    const handle = await open(part)
    await handle.sync().finally(() => handle.close())
    await rename(part, path)
  } catch (error) {
    pack.destroy()
    await writing.catch(() => undefined)
    await rm(part, { force: true })
    signal.throwIfAborted()
    throw error
  }
}

export interface ArchiveEntry {
  name: string
  /** Read to its end before the next entry. */
  content: AsyncIterable<Uint8Array>
}

/** The entries of an archive in their order. Throws `BackupError` where it cannot be read to its end. */
export async function* readArchive(path: string, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const extract = tar.extract()
  const reading = pipeline(createReadStream(path), createZstdDecompress(), extract, { signal })
  reading.catch(() => undefined)
  const entries = extract[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await entries.next().catch(damaged)
      if (next.done) break
      yield { name: next.value.header.name, content: piecesOf(next.value) }
    }
    await reading.catch(damaged)
  } finally {
    extract.destroy()
  }
  function damaged(error: unknown): never {
    signal.throwIfAborted()
    throw new BackupError(`${path} cannot be read to its end: it is damaged, incomplete or no backup (${errorOf(error).message}).`)
  }
  async function* piecesOf(entry: AsyncIterable<unknown>) {
    const pieces = entry[Symbol.asyncIterator]()
    for (;;) {
      const next = await pieces.next().catch(damaged)
      if (next.done) return
      if (next.value instanceof Uint8Array) yield next.value
    }
  }
}

export const readHead = (text: string): Head => readJson(Head, text, 'It was made by another product or a newer version.')
export const readManifest = (text: string): Manifest => readJson(Manifest, text, 'Its list of contents is damaged.')

function readJson<S extends z.ZodType>(schema: S, text: string, refusal: string): z.infer<S> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new BackupError(`The backup cannot be used. ${refusal}`, { cause: error })
  }
}
