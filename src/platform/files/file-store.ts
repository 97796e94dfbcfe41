/** The file store: content by its hash, on the local disk or in an S3-compatible bucket, written and read as a stream. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { sql } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { errorOf } from '#domain/thrown.ts'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/database/database.ts'
import { collect } from './content.ts'

/** Positions of the first and the last byte, as in an HTTP range. */
export interface ByteRange {
  first: number
  last: number
}

export interface FileStore {
  /**
   * Durable when it resolves. The same content twice is one file. Content that fails while it is read leaves nothing behind;
   * it is never in memory as a whole.
   */
  put(operator_id: number, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredContent>
  /**
   * Resolves when the store has the content. A whole file is compared with its hash: the stream fails before its last piece when
   * they differ. A range cannot be compared.
   */
  open(operator_id: number, content: StoredContent, range?: ByteRange): Promise<ContentStream>
  /** The whole file in memory, for what is small by its kind (a label, a picture, a page). At most `mostInMemory` bytes. */
  get(operator_id: number, sha256: string): Promise<Buffer>
  /** Removes the content; it does not matter whether it is there. */
  remove(operator_id: number, sha256: string): Promise<void>
}

/** Closed by its end, by an error or by `using`: a stream that is neither read to the end nor closed keeps its file open. */
export type ContentStream = Readable & Disposable

const disposable = (stream: Readable): ContentStream => Object.assign(stream, { [Symbol.dispose]: () => void stream.destroy() })

/** The store did not answer, or not as a store does: the same may be asked again. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable'
}

/** The store answers, but has no such file. */
export class FileMissing extends Error {
  override name = 'FileMissing'
}

/** The largest file that is read as one buffer: more than any map's distances or printed list, small beside the memory of the server. */
const mostInMemory = 256_000_000

export function openFiles(config: Config, patience?: number): FileStore {
  const folder = join(config.data_dir, 'files')
  const drafts = new Drafts(join(folder, 'drafts'))
  return config.s3 ? bucket(config.s3, drafts, patience) : disk(folder, drafts)
}

const storedOf = (content: Uint8Array): StoredContent => ({
  sha256: createHash('sha256').update(content).digest('hex'),
  bytes: content.length,
})
const keyOf = (operator_id: number, sha256: string): string => `${operator_id}/${sha256.slice(0, 2)}/${sha256}`

/** Files while they are written. What a server left that was killed is removed a day later. */
class Drafts {
  readonly #folder: string
  #prepared: Promise<void> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Writes the content to a file, hands it to `use` and removes it afterwards, unless `use` has moved it. */
  async with<T>(content: Uint8Array | AsyncIterable<Uint8Array>, use: (path: string, stored: StoredContent) => Promise<T>): Promise<T> {
    this.#prepared ??= this.#prepare()
    await this.#prepared
    const path = join(this.#folder, `${process.pid}-${Math.random().toString(36).slice(2)}`)
    try {
      const handle = await open(path, 'wx', 0o640)
      const count = new ContentCount()
      try {
        await handle.writeFile(count.through(content))
        await handle.sync()
      } finally {
        await handle.close()
      }
      return await use(path, count.stored())
    } finally {
      await rm(path, { force: true })
    }
  }

  async #prepare(): Promise<void> {
    await makeFolder(this.#folder)
    const yesterday = Date.now() - 86_400_000
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      // Another server on the same disk may remove it first.
      const about = await stat(path).catch(() => undefined)
      if (about && about.mtimeMs < yesterday) await rm(path, { force: true })
    }
  }
}

/** Hash and size of content while it passes. */
class ContentCount {
  readonly #hash = createHash('sha256')
  #bytes = 0

  async *through(content: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of content instanceof Uint8Array ? [content] : content) {
      this.#hash.update(piece)
      this.#bytes += piece.length
      yield piece
    }
  }
  stored(): StoredContent {
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes }
  }
}

/** Passes a file on, its last piece only once the whole has the expected hash. */
async function* verified(pieces: AsyncIterable<Uint8Array>, { sha256, bytes }: StoredContent): AsyncGenerator<Uint8Array> {
  const count = new ContentCount()
  let last: Uint8Array | undefined
  for await (const piece of count.through(pieces)) {
    if (last) yield last
    last = piece
  }
  const read = count.stored()
  if (read.sha256 !== sha256 || read.bytes !== bytes) throw new FilesUnavailable(otherBytes)
  if (last) yield last
}

async function collectVerified(pieces: AsyncIterable<Uint8Array>, sha256: string): Promise<Buffer> {
  const content = await collect(limited(pieces))
  if (storedOf(content).sha256 !== sha256) throw new FilesUnavailable(otherBytes)
  return content
}

async function* limited(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > mostInMemory) throw new Error(`A file of more than ${mostInMemory} bytes must be read as a stream`)
    yield piece
  }
}

const otherBytes = 'The file store gave other bytes than it was given'

function disk(folder: string, drafts: Drafts): FileStore {
  const pathOf = (operator_id: number, sha256: string) => join(folder, keyOf(operator_id, sha256))
  const isPresent = async (operator_id: number, { sha256, bytes }: StoredContent) =>
    (await stat(pathOf(operator_id, sha256)).catch(() => undefined))?.size === bytes
  async function openFile(operator_id: number, sha256: string, range?: ByteRange): Promise<Readable> {
    const handle = await open(pathOf(operator_id, sha256)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new FileMissing(`The file ${sha256} is missing`, { cause: error }) : error
    })
    return handle.createReadStream(range && { start: range.first, end: range.last })
  }
  return {
    async put(operator_id, content) {
      if (content instanceof Uint8Array) {
        const stored = storedOf(content)
        if (await isPresent(operator_id, stored)) return stored
      }
      return drafts.with(content, async (draft, stored) => {
        if (await isPresent(operator_id, stored)) return stored
        const path = pathOf(operator_id, stored.sha256)
        await makeFolder(dirname(path))
        await rename(draft, path)
        await syncFolder(dirname(path))
        return stored
      })
    },
    async open(operator_id, content, range) {
      const file = await openFile(operator_id, content.sha256, range)
      if (range) return disposable(file)
      // A stream that is closed before it is read never starts the generator, which would close the file.
      return disposable(Readable.from(verified(file, content), { objectMode: false }).once('close', () => file.destroy()))
    },
    get: async (operator_id, sha256) => collectVerified(await openFile(operator_id, sha256), sha256),
    remove: (operator_id, sha256) => rm(join(folder, keyOf(operator_id, sha256)), { force: true }),
  }
}

/** A folder whose name is as durable as what will be written into it. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Windows cannot open a folder, and keeps names safe without. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

/** Milliseconds until the store must have answered, all tries together, and between two pieces of an answer. */
const bucketPatience = 15_000
/** After the first try. */
const mostRetries = 3
/** Bytes that a store takes in a millisecond at the least, so that a large file gets more time. */
const slowestUpload = 1_000

type RequestBody = NonNullable<RequestInit['body']>

function bucket(s3: NonNullable<Config['s3']>, drafts: Drafts, patience = bucketPatience): FileStore {
  const client = new AwsClient({
    accessKeyId: s3.access_key_id,
    secretAccessKey: s3.secret_access_key,
    region: s3.region,
    service: 's3',
  })
  const url = (operator_id: number, sha256: string) => `${s3.endpoint.replace(/\/$/, '')}/${s3.bucket}/${keyOf(operator_id, sha256)}`
  /** A file is named by its hash: to put or to get it again does no harm. */
  async function ask(
    operator_id: number,
    sha256: string,
    { method, headers, body }: { method: 'GET' | 'PUT' | 'DELETE'; headers: Record<string, string>; body?: () => RequestBody },
    milliseconds: number,
  ): Promise<Response> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error('The file store does not answer')), milliseconds)
    try {
      for (let attempt = 0; ; attempt++) {
        // Signed without the body, whose hash stands in the headers: the client would read it into memory.
        const signed = await client.sign(url(operator_id, sha256), { method, headers })
        const content = body?.()
        const answer = await fetch(signed, {
          signal: late.signal,
          ...(content !== undefined && { body: content, duplex: 'half' as const }),
        })
        if (answer.ok) return answer
        await answer.body?.cancel()
        if (answer.status === 404 && method === 'GET') throw new FileMissing(`The file ${sha256} is missing`)
        if (attempt === mostRetries || (answer.status < 500 && answer.status !== 429))
          throw new Error(`The file store answered ${answer.status}`)
        await pause(Math.random() * 50 * 2 ** attempt, undefined, { signal: late.signal })
      }
    } catch (error) {
      throw error instanceof FileMissing ? error : new FilesUnavailable(errorOf(error).message, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
  async function request(operator_id: number, sha256: string, range?: ByteRange): Promise<Response> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.first}-${range.last}` } : {}
    const answer = await ask(operator_id, sha256, { method: 'GET', headers }, patience)
    if (!range || answer.status === 206) return answer
    await answer.body?.cancel()
    throw new FilesUnavailable('The file store does not answer ranges')
  }
  async function send(operator_id: number, { sha256, bytes }: StoredContent, body: () => RequestBody): Promise<void> {
    const headers = { 'x-amz-content-sha256': sha256, 'content-length': String(bytes) }
    const answer = await ask(operator_id, sha256, { method: 'PUT', headers, body }, patience + bytes / slowestUpload)
    for await (const _ of piecesInTime(answer, patience));
  }
  return {
    async put(operator_id, content) {
      if (content instanceof Uint8Array) {
        const stored = storedOf(content)
        await send(operator_id, stored, () => new Uint8Array(content))
        return stored
      }
      // The key is the hash, which is known at the end: a stream waits on the disk until then.
      return drafts.with(content, async (draft, stored) => {
        let file: Readable | undefined
        try {
          await send(operator_id, stored, () => {
            file?.destroy()
            file = createReadStream(draft)
            return Readable.toWeb(file) as RequestBody
          })
        } finally {
          file?.destroy()
        }
        return stored
      })
    },
    async open(operator_id, content, range) {
      const answer = await request(operator_id, content.sha256, range)
      const pieces = piecesInTime(answer, patience)
      const stream = Readable.from(range ? pieces : verified(pieces, content), { objectMode: false })
      // A stream that is closed before it is read never starts the generator, which would end the answer.
      return disposable(stream.once('close', () => void answer.body?.cancel().catch(() => undefined)))
    },
    get: async (operator_id, sha256) => collectVerified(piecesInTime(await request(operator_id, sha256), patience), sha256),
    async remove(operator_id, sha256) {
      const answer = await ask(operator_id, sha256, { method: 'DELETE', headers: {} }, patience)
      await answer.body?.cancel()
    },
  }
}

/** The pieces of an answer. It fails when the store is silent for too long; the time in which the reader is slow does not count. */
async function* piecesInTime(answer: Response, patience: number): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader()
  if (!reader) return
  let timer: NodeJS.Timeout | undefined
  try {
    for (;;) {
      const silence = new Promise<never>((_, fail) => {
        timer = setTimeout(() => fail(new Error('The file store fell silent')), patience)
      })
      const { done, value } = await Promise.race([reader.read(), silence])
      clearTimeout(timer)
      if (done) return
      yield value
    }
  } catch (error) {
    throw new FilesUnavailable(errorOf(error).message, { cause: error })
  } finally {
    clearTimeout(timer)
    // The connection ends with the reader, also when no one wants the rest.
    reader.cancel().catch(() => undefined)
  }
}

export interface StoredFile {
  media_type: string
  name: string
  /** Needed where staff of the main company write for the company of an order: row-level security checks it. */
  company_id?: number
  /** The order that the file is about: it is erased with the order's person. */
  order_id?: number | null
}

/** Records a file whose content is stored already, and answers its id. */
export async function recordFile(db: Db, content: StoredContent, about: StoredFile): Promise<number> {
  const [id] = await recordFiles(db, [{ content, about }])
  if (id === undefined) throw new Error('The file was not recorded')
  return id
}

/** The same for many files in one statement; answers their ids in the order of the files. */
export async function recordFiles(db: Db, files: readonly { content: StoredContent; about: StoredFile }[]): Promise<number[]> {
  if (files.length === 0) return []
  // Ids are drawn in the order of the rows, so the n-th id belongs to the n-th file.
  const { rows } = await sql<{ id: number }>`
    with f as (
      select * from unnest(${files.map(({ about }) => about.company_id ?? null)}::bigint[], ${files.map(({ content }) => content.sha256)}::text[],
        ${files.map(({ content }) => content.bytes)}::bigint[], ${files.map(({ about }) => about.media_type)}::text[],
        ${files.map(({ about }) => about.name)}::text[], ${files.map(({ about }) => about.order_id ?? null)}::bigint[])
        with ordinality as f(company_id, sha256, bytes, media_type, name, order_id, n)),
    made as (
      insert into files (company_id, sha256, bytes, media_type, name)
      select coalesce(company_id, current_company_id()), sha256, bytes, media_type, name from f order by n returning id),
    numbered as (select id, row_number() over (order by id) as n from made),
    listed as (
      insert into file_subjects (company_id, subject_type, subject_id, file_id)
      select coalesce(f.company_id, current_company_id()), 'order', f.order_id, numbered.id from f join numbered using (n)
      where f.order_id is not null)
    select id from numbered order by n`.execute(db)
  return rows.map(({ id }) => id)
}

/** Removes the rows of files; the stored bytes stay, because other rows may name the same. */
export async function forgetFiles(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('files').where('id', 'in', ids).execute()
}

/** Says that a file is about these orders, so that erasing their person finds it. */
export const listOrdersOfFile = async (db: Db, file_id: number, order_ids: readonly number[]): Promise<void> => {
  await sql`insert into file_subjects (subject_type, subject_id, file_id)
    select 'order', o, ${file_id}::bigint from unnest(${order_ids}::bigint[]) o on conflict do nothing`.execute(db)
}
