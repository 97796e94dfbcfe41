/** Uploads over a real connection: streamed in little memory, and nothing kept of what is too large, damaged or broken off. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { call, contract } from '#contract/endpoint.ts'
import { unprocessable } from '#contract/errors.ts'
import { checkStart } from '#platform/files/content.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { watchMemory } from '#test/memory-use.ts'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { implement } from './feature-module.ts'
import { createHttpServer } from './http-server.ts'

const limit = 301_000_000
const testSchemas = {
  calls: {
    upload: { reply: z.object({ sha256: z.string(), bytes: z.number(), name: z.string(), media_type: z.string() }) },
    small: { reply: z.object({ text: z.string() }) },
    unread: {},
  },
}
const testCalls = contract<typeof testSchemas>({ name: 'test', area: 'company', access: 'anyone' }).calls({
  upload: call('POST test/upload', { upload: limit, external: true }),
  small: call('POST test/small', { upload: 1_000, external: true }),
  unread: call('POST test/unread', { upload: limit, external: true }),
})
let seen = 0
const module = implement(testCalls, testSchemas, {
  async upload({ upload }, { services, scope, transaction }) {
    const content = checkStart(upload.content, 4, start => {
      if (Buffer.from(start).toString().startsWith('NO')) throw unprocessable('file_not_table', 'This is no text file: choose a CSV file')
    })
    const stored = await services.files.put(
      scope.operator_id,
      (async function* () {
        for await (const piece of content) {
          seen += piece.length
          yield piece
        }
      })(),
    )
    await transaction(({ db }) => recordFile(db, stored, upload))
    return { ...stored, name: upload.name, media_type: upload.media_type }
  },
  small: async ({ upload }) => ({ text: Buffer.from(await upload.bytes()).toString() }),
  async unread() {},
})

let testApp: TestApp
let operator: TestOperator
let server: FastifyInstance
let port: number
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  server = createHttpServer(testApp.services, testApp.identities, [module])
  await server.listen({ host: '127.0.0.1', port: 0 })
  port = (server.server.address() as AddressInfo).port
})
afterAll(async () => {
  await server.close()
  await testApp.close()
})
beforeEach(() => {
  seen = 0
})

function begin(
  path: string,
  headers: Record<string, string | number> = {},
): { outgoing: ClientRequest; answer: Promise<{ status: number; body: string }> } {
  const { code } = operator.main
  const outgoing = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/api/${code}/test/${path}`,
    headers: { host: `${code}.localhost`, accept: 'application/json', ...headers },
  })
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', async (incoming: IncomingMessage) => {
      const parts = await incoming.toArray()
      resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(parts).toString() })
    })
  })
  answer.catch(() => undefined)
  return { outgoing, answer }
}
async function send(path: string, content: Buffer | AsyncIterable<Buffer>, headers: Record<string, string | number> = {}) {
  const { outgoing, answer } = begin(path, { 'content-type': 'application/octet-stream', ...headers })
  // Once the answer is there, Node's client sends no more of the body.
  const sending = pipeline(Readable.from(Buffer.isBuffer(content) ? [content] : content), outgoing).catch(() => undefined)
  const { status, body } = await answer
  outgoing.destroy()
  await sending
  return { status, ...(JSON.parse(body || '{}') as { code?: string; message?: string; sha256?: string; bytes?: number; text?: string }) }
}
async function* pieces(bytes: number, start = '') {
  const piece = Buffer.alloc(100_000)
  piece.write(start)
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece.subarray(0, Math.min(piece.length, bytes - sent))
}
const form = (content: Buffer) =>
  Buffer.concat([
    Buffer.from('--cut\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n'),
    content,
    Buffer.from('\r\n--cut--\r\n'),
  ])
const formType = { 'content-type': 'multipart/form-data; boundary=cut' }
/** Rows and files that exist, drafts included. */
const kept = async () => ({
  rows: await testApp.services.database.systemTransaction('the test counts all rows', async db =>
    Number(
      (
        await db
          .selectFrom('files')
          .select(eb => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    ),
  ),
  files: (await readdir(join(testApp.services.config.data_dir, 'files'), { recursive: true }).catch(() => []))
    .filter(name => !name.endsWith('drafts'))
    .sort(),
})

describe('an upload', () => {
  it.each([
    ['as the body', {}, (content: Buffer) => content],
    ['as JSON', { 'content-type': 'application/json' }, (content: Buffer) => content],
    ['as a form', formType, form],
  ])('%s arrives unchanged', async (_, headers, wrap) => {
    const content = Buffer.from('{"not": "parsed"')
    expect(await send('upload', wrap(content), headers)).toMatchObject({
      status: 200,
      sha256: createHash('sha256').update(content).digest('hex'),
      bytes: content.length,
    })
    expect(await send('small', wrap(content), headers)).toEqual({ status: 200, text: content.toString() })
  })

  it('of 300 MB needs less than 100 MB of memory', async () => {
    const memory = watchMemory()
    expect(await send('upload', pieces(300_000_000))).toMatchObject({ status: 200, bytes: 300_000_000 })
    expect(memory.peak()).toBeLessThan(100_000_000)
  })

  it('without a body is empty', async () => {
    expect(await send('small', Buffer.alloc(0), { 'content-length': 0 })).toEqual({ status: 200, text: '' })
  })

  it.each([
    ['at the limit', 1_000, 200],
    ['one byte above the limit', 1_001, 413],
  ])('%s is judged by its size', async (_, bytes, status) => {
    const content = Buffer.alloc(bytes, 'a')
    expect(await send('small', content, { 'content-length': bytes })).toMatchObject({ status })
    expect(await send('small', content)).toMatchObject({ status })
    expect(await send('small', form(content), formType)).toMatchObject({ status })
  })
})

describe('nothing is kept of an upload', () => {
  it('that says it is too large: none of it is read', async () => {
    const before = await kept()
    const { outgoing, answer } = begin('upload', { 'content-length': limit + 1 })
    outgoing.write('a')
    expect((await answer).status).toBe(413)
    outgoing.destroy()
    expect(seen).toBe(0)
    expect(await kept()).toEqual(before)
  })

  it('that turns out too large while it is sent', async () => {
    const before = await kept()
    expect(await send('upload', pieces(limit + 100_000))).toMatchObject({ status: 413, code: 'request_too_large' })
    expect(await kept()).toEqual(before)
  })

  it('whose connection breaks', async () => {
    const before = await kept()
    const { outgoing } = begin('upload', { 'content-length': 10_000_000 })
    for await (const piece of pieces(5_000_000)) outgoing.write(piece)
    await vi.waitFor(() => expect(seen).toBeGreaterThan(1_000_000), { timeout: 5_000 })
    expect((await kept()).files).not.toEqual(before.files)
    outgoing.destroy()
    await vi.waitFor(async () => expect(await kept()).toEqual(before), { timeout: 5_000 })
  })

  it('whose form breaks off', async () => {
    const before = await kept()
    const broken = form(Buffer.from('half')).subarray(0, -12)
    expect(await send('upload', broken, formType)).toMatchObject({ status: 400, code: 'file_damaged' })
    expect(await kept()).toEqual(before)
  })

  it.each([
    ['fields', '--cut\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n'],
    ['parts without headers', '--cut\r\n\r\nx\r\n'],
  ])('whose form has thousands of %s', async (_, part) => {
    const before = await kept()
    const crowded = Buffer.from(`${part.repeat(5_000)}--cut--\r\n`)
    expect(await send('upload', crowded, formType)).toMatchObject({
      status: 413,
      code: 'form_too_many_parts',
      message: 'The form has too many parts: it may have 20 fields and a file',
    })
    expect(await kept()).toEqual(before)
  })

  it('that differs from its digest', async () => {
    const before = await kept()
    const digest = (text: string) => `sha-512=:AAAA:, sha-256=:${createHash('sha256').update(text).digest('base64')}:`
    expect(await send('upload', Buffer.from('sent'), { 'content-digest': digest('meant') })).toMatchObject({
      status: 400,
      code: 'file_damaged',
    })
    expect(await kept()).toEqual(before)
    expect(await send('upload', Buffer.from('sent'), { 'content-digest': digest('sent') })).toMatchObject({ status: 200 })
  })

  it('that begins as another type: the rest is not kept', async () => {
    const before = await kept()
    expect(await send('upload', pieces(50_000_000, 'NO'))).toMatchObject({ status: 422, code: 'file_not_table' })
    expect(seen).toBe(0)
    expect(await kept()).toEqual(before)
  })

  it('when the disk is full', async () => {
    const before = await kept()
    const put = vi.spyOn(testApp.services.files, 'put').mockImplementation(async (_, content) => {
      for await (const _piece of content as AsyncIterable<Uint8Array>)
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      throw new Error('nothing was sent')
    })
    expect(await send('upload', pieces(1_000_000))).toMatchObject({ status: 503, code: 'disk_full' })
    put.mockRestore()
    expect(await kept()).toEqual(before)
  })
})

it.each([
  ['unread', 204],
  ['upload', 422],
])('reads and drops the rest of an upload that %s refuses, so that the client gets to the answer', async (path, status) => {
  const { code } = operator.main
  const socket = connect(port, '127.0.0.1')
  const bytes = 20_000_000
  socket.write(`POST /api/${code}/test/${path} HTTP/1.1\r\nhost: ${code}.localhost\r\ncontent-length: ${bytes}\r\n\r\n`)
  const answer = once(socket, 'data')
  await new Promise(written => socket.write(Buffer.alloc(bytes, 'NO'), written))
  expect(String(await answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  socket.destroy()
})
