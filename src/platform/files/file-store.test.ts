/** The file store: bytes by their hash, on a disk and in a bucket alike. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { watchMemory } from '#test/memory-use.ts'
import { collect } from './content.ts'
import { FileMissing, type FileStore, FilesUnavailable, openFiles } from './file-store.ts'

const bytes = Buffer.from('a label, for example')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const stored = { sha256, bytes: bytes.length }

let folder: string
let bucket: Server
const kept = new Map<string, Buffer>()
const signatures: (string | undefined)[] = []
const stores: Record<string, FileStore> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pakhus-files-'))
  // As an S3-compatible store answers: unsigned requests are refused, unknown keys are 404.
  bucket = createServer((request, response) => {
    signatures.push(request.headers.authorization)
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=key/')) return response.writeHead(403).end()
    const path = request.url ?? ''
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      if (request.method === 'PUT') kept.set(path, Buffer.concat(parts))
      const body = kept.get(path)
      if (!body) return response.writeHead(404).end()
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      if (first !== undefined) return response.writeHead(206).end(body.subarray(Number(first), Number(last) + 1))
      response.writeHead(200).end(request.method === 'GET' ? body : undefined)
    })
  })
  await new Promise<void>(resolve => bucket.listen(0, '127.0.0.1', resolve))
  const { port } = bucket.address() as AddressInfo
  stores.disk = openFiles(readConfig({ DATA_DIR: folder }))
  stores.bucket = openFiles(
    readConfig({
      DATA_DIR: folder,
      S3_BUCKET: 'labels',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    }),
  )
})
afterAll(async () => {
  await new Promise(resolve => bucket.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

/** A store over a bucket that answers like this. */
async function bucketThat(answer: (request: IncomingMessage, response: ServerResponse) => void, patience = 700) {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const env = {
    DATA_DIR: folder,
    S3_BUCKET: 'labels',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  return {
    store: openFiles(readConfig(env), patience),
    asked: () => asked,
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}

const sha256Of = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const filesIn = async (place: string) =>
  (await readdir(place, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(({ parentPath: path, name }) => ({ path, name }))
async function* pieces(content: Buffer, length: number) {
  for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length)
}

describe.each(['disk', 'bucket'])('a store on a %s', name => {
  const store = () => stores[name] as FileStore

  it('gives back what it was given, under its hash', async () => {
    expect(await store().put(1, bytes)).toEqual(stored)
    expect(await store().get(1, sha256)).toEqual(bytes)
    expect(await collect(await store().open(1, stored))).toEqual(bytes)
  })

  it('keeps the same bytes once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => store().put(1, bytes)))
    expect(await store().get(1, sha256)).toEqual(bytes)
  })

  it('takes a stream in pieces under the hash of the whole', async () => {
    expect(await store().put(1, pieces(bytes, 3))).toEqual(stored)
    expect(await store().get(1, sha256)).toEqual(bytes)
  })

  it('stores an empty file', async () => {
    const empty = await store().put(1, pieces(Buffer.alloc(0), 1))
    expect(empty).toEqual({ sha256: createHash('sha256').digest('hex'), bytes: 0 })
    expect(await collect(await store().open(1, empty))).toHaveLength(0)
  })

  it.each([
    [0, 0],
    [2, 6],
    [bytes.length - 1, bytes.length - 1],
    [0, bytes.length - 1],
  ])('answers the bytes %i to %i', async (first, last) => {
    expect(await collect(await store().open(1, stored, { first, last }))).toEqual(bytes.subarray(first, last + 1))
  })

  it('has nothing of one operator under another', async () => {
    await expect(store().get(2, sha256)).rejects.toBeInstanceOf(FileMissing)
    await expect(store().open(2, stored)).rejects.toBeInstanceOf(FileMissing)
    await expect(store().open(2, stored, { first: 0, last: 1 })).rejects.toBeInstanceOf(FileMissing)
  })

  it('keeps nothing of a stream that fails', async () => {
    const before = [await filesIn(folder), kept.size]
    const failing = (async function* () {
      yield Buffer.from('the first piece')
      throw new Error('the sender is gone')
    })()
    await expect(store().put(1, failing)).rejects.toThrow('the sender is gone')
    expect([await filesIn(folder), kept.size]).toEqual(before)
  })

  it('fails before its last piece where the content has changed', async () => {
    const large = Buffer.alloc(300_000, name)
    const whole = await store().put(1, large)
    const changed = Buffer.from(large).fill('x', 150_000, 150_001)
    const key = `1/${whole.sha256.slice(0, 2)}/${whole.sha256}`
    if (name === 'disk') await writeFile(join(folder, 'files', key), changed)
    else kept.set(`/labels/${key}`, changed)
    const read: Uint8Array[] = []
    const reading = async () => {
      for await (const piece of await store().open(1, whole)) read.push(piece)
    }
    await expect(reading()).rejects.toBeInstanceOf(FilesUnavailable)
    expect(Buffer.concat(read).length).toBeLessThan(large.length)
    await expect(store().get(1, whole.sha256)).rejects.toBeInstanceOf(FilesUnavailable)
    await rm(join(folder, 'files', key), { force: true })
  })
})

describe('the disk', () => {
  it('leaves no half-written file beside the whole ones', async () => {
    for (const { path, name } of await filesIn(folder)) expect(sha256Of(await readFile(join(path, name)))).toBe(name)
  })

  it('removes a day later what a killed server was writing', async () => {
    const other = await mkdtemp(join(tmpdir(), 'pakhus-files-'))
    const drafts = join(other, 'files', 'drafts')
    await mkdir(drafts, { recursive: true })
    for (const name of ['old', 'young']) await writeFile(join(drafts, name), 'half a fi')
    await utimes(join(drafts, 'old'), new Date(0), new Date(Date.now() - 90_000_000))
    await openFiles(readConfig({ DATA_DIR: other })).put(1, bytes)
    expect(await readdir(drafts)).toEqual(['young'])
    await rm(other, { recursive: true })
  })
})

describe('a file of 300 MB', () => {
  const disk = () => stores.disk as FileStore
  const size = 300_000_000
  const piece = Buffer.alloc(100_000)
  async function* content() {
    for (let at = 0; at < size / piece.length; at++) yield piece
  }

  it('passes through the disk within 100 MB of memory', async () => {
    const memory = watchMemory()
    const whole = await disk().put(3, content())
    expect(whole.bytes).toBe(size)
    let read = 0
    for await (const some of await disk().open(3, whole)) read += some.length
    expect(read).toBe(size)
    expect(memory.peak()).toBeLessThan(100_000_000)
  })

  it('passes through a bucket within 100 MB of memory', async () => {
    let received = 0
    const { store, close } = await bucketThat((request, response) => {
      if (request.method === 'GET') return Readable.from(content()).pipe(response)
      request.on('data', (some: Buffer) => {
        received += some.length
      })
      return request.on('end', () => response.end())
    }, 15_000)
    const memory = watchMemory()
    const whole = await store.put(3, content())
    expect(received).toBe(size)
    let read = 0
    for await (const some of await store.open(3, whole)) read += some.length
    expect(read).toBe(size)
    expect(memory.peak()).toBeLessThan(100_000_000)
    await close()
  })
})

describe('a bucket in trouble', () => {
  const cases: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
    ['never answers', () => undefined],
    ['begins to answer and falls silent', (_, response) => response.writeHead(200, { 'content-length': '99' }).write('a')],
    ['breaks off', request => request.socket.destroy()],
    ['is overloaded', (_, response) => response.writeHead(503).end()],
    ['does not let us in', (_, response) => response.writeHead(403).end()],
    ['gives other bytes', (_, response) => response.writeHead(200).end('other bytes')],
  ]

  it.each(cases)('that %s says so in time', async (name, answer) => {
    const { store, close } = await bucketThat(answer)
    const began = performance.now()
    await expect(store.get(1, sha256)).rejects.toBeInstanceOf(FilesUnavailable)
    if (name !== 'gives other bytes') await expect(store.put(1, bytes)).rejects.toBeInstanceOf(FilesUnavailable)
    expect(performance.now() - began).toBeLessThan(4_000)
    await close()
  })

  it('is asked again when it stumbled once', async () => {
    let first = true
    const { store, asked, close } = await bucketThat((_, response) => {
      response.writeHead(first ? 500 : 200).end(first ? '' : bytes)
      first = false
    })
    expect(await store.get(1, sha256)).toEqual(bytes)
    expect(asked()).toBe(2)
    await close()
  })
})

describe('the bucket', () => {
  it('is asked only with signed requests', () => {
    expect(signatures.length).toBeGreaterThan(0)
    expect(signatures.every(signature => signature?.includes('/eu-central-1/s3/aws4_request'))).toBe(true)
  })

  it('is not opened with half of its settings', () => {
    expect(() => readConfig({ S3_BUCKET: 'labels' })).toThrow('S3_BUCKET needs S3_ENDPOINT')
  })
})
