/** The file store: bytes by their hash, on a disk and in a bucket alike. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { type FileStore, FilesUnavailable, openFiles } from './file-store.ts'

const bytes = Buffer.from('a label, for example')
const sha256 = createHash('sha256').update(bytes).digest('hex')

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
      response.writeHead(200).end(request.method === 'GET' ? body : undefined)
    })
  })
  await new Promise<void>(resolve => bucket.listen(0, '127.0.0.1', resolve))
  const { port } = bucket.address() as AddressInfo
  stores.disk = openFiles(readConfig({ DATA_DIR: folder }))
  stores.bucket = openFiles(
    readConfig({ S3_BUCKET: 'labels', S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }),
  )
})
afterAll(async () => {
  await new Promise(resolve => bucket.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

describe.each(['disk', 'bucket'])('a store on a %s', name => {
  const store = () => stores[name] as FileStore

  it('gives back what it was given, under its hash', async () => {
    expect(await store().put(1, bytes)).toBe(sha256)
    expect(await store().get(1, sha256)).toEqual(bytes)
  })

  it('keeps the same bytes once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => store().put(1, bytes)))
    expect(await store().get(1, sha256)).toEqual(bytes)
  })

  it('has nothing of one operator under another', async () => {
    await expect(store().get(2, sha256)).rejects.toThrow()
  })
})

describe('the disk', () => {
  it('leaves no half-written file beside the whole one', async () => {
    const files = (await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
    expect(files.map(file => file.name)).toEqual([sha256])
  })
})

describe('a bucket in trouble', () => {
  const troubled = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    let asked = 0
    const server = createServer((request, response) => {
      asked++
      answer(request, response)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const env = { S3_BUCKET: 'labels', S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
    return {
      store: openFiles(readConfig(env), 700),
      asked: () => asked,
      close: () => {
        server.closeAllConnections()
        return new Promise(resolve => server.close(resolve))
      },
    }
  }
  const cases: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
    ['never answers', () => undefined],
    ['begins to answer and falls silent', (_, response) => response.writeHead(200, { 'content-length': '99' }).write('a')],
    ['breaks off', request => request.socket.destroy()],
    ['is overloaded', (_, response) => response.writeHead(503).end()],
    ['does not let us in', (_, response) => response.writeHead(403).end()],
    ['gives other bytes', (_, response) => response.writeHead(200).end('other bytes')],
  ]

  it.each(cases)('that %s says so in time', async (name, answer) => {
    const { store, close } = await troubled(answer)
    const began = performance.now()
    await expect(store.get(1, sha256)).rejects.toBeInstanceOf(FilesUnavailable)
    if (name !== 'gives other bytes') await expect(store.put(1, bytes)).rejects.toBeInstanceOf(FilesUnavailable)
    expect(performance.now() - began).toBeLessThan(4_000)
    await close()
  })

  it('is asked again when it stumbled once', async () => {
    let first = true
    const { store, asked, close } = await troubled((_, response) => {
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
