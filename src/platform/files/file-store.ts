/** The file store: bytes by their hash, on the local disk or in an S3-compatible bucket. */
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/database/database.ts'

export interface FileStore {
  /** Durable when it resolves. Answers the SHA-256 in hexadecimal. The same bytes twice are one file. */
  put(operator_id: number, bytes: Uint8Array): Promise<string>
  get(operator_id: number, sha256: string): Promise<Buffer>
}

/** The store did not answer, or not as a store does: the same may be asked again. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable'
}

export function openFiles(config: Config, patience?: number): FileStore {
  return config.s3 ? bucket(config.s3, patience) : disk(join(config.data_dir, 'files'))
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const keyOf = (operator_id: number, sha256: string): string => `${operator_id}/${sha256.slice(0, 2)}/${sha256}`

function disk(folder: string): FileStore {
  return {
    async put(operator_id, bytes) {
      const sha256 = sha256Of(bytes)
      const path = join(folder, keyOf(operator_id, sha256))
      const there = await stat(path).catch(() => undefined)
      if (there?.size === bytes.length) return sha256
      await makeFolder(dirname(path))
      const draft = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`
      try {
        const handle = await open(draft, 'wx', 0o640)
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      await syncFolder(dirname(path))
      return sha256
    },
    get: (operator_id, sha256) => readFile(join(folder, keyOf(operator_id, sha256))),
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

/** Milliseconds for one file, all tries together. */
const bucketPatience = 15_000

function bucket(s3: NonNullable<Config['s3']>, patience = bucketPatience): FileStore {
  const client = new AwsClient({
    accessKeyId: s3.access_key_id,
    secretAccessKey: s3.secret_access_key,
    region: s3.region,
    service: 's3',
    retries: 3,
  })
  const url = (operator_id: number, sha256: string) => `${s3.endpoint.replace(/\/$/, '')}/${s3.bucket}/${keyOf(operator_id, sha256)}`
  /** A file is named by its hash: to put or to get it again does no harm. */
  async function ask(operator_id: number, sha256: string, init: RequestInit): Promise<Buffer> {
    try {
      const answer = await client.fetch(url(operator_id, sha256), { ...init, signal: AbortSignal.timeout(patience) })
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (answer.ok) return bytes
      throw new Error(`The file store answered ${answer.status}`)
    } catch (error) {
      throw new FilesUnavailable((error as Error).message, { cause: error })
    }
  }
  return {
    async put(operator_id, bytes) {
      const sha256 = sha256Of(bytes)
      await ask(operator_id, sha256, { method: 'PUT', body: new Uint8Array(bytes) })
      return sha256
    },
    async get(operator_id, sha256) {
      const bytes = await ask(operator_id, sha256, { method: 'GET' })
      if (sha256Of(bytes) !== sha256) throw new FilesUnavailable('The file store gave other bytes than it was given')
      return bytes
    },
  }
}

export interface StoredFile {
  media_type: string
  name: string
  /** Where the wall must let other companies' staff write on behalf of an order's company. */
  company_id?: number
}

/** Notes a file whose bytes are stored already, and answers its id. */
export async function recordFile(db: Db, sha256: string, bytes: Uint8Array, about: StoredFile): Promise<number> {
  const { id } = await db
    .insertInto('files')
    .values({
      ...(about.company_id === undefined ? {} : { company_id: about.company_id }),
      sha256,
      bytes: bytes.length,
      media_type: about.media_type,
      name: about.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Removes the rows of files; the stored bytes stay, because other rows may name the same. */
export async function forgetFiles(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('files').where('id', 'in', ids).execute()
}
