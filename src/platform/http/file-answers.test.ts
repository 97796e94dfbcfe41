/** Stored files in answers: whole, by range and by HEAD, as RFC 9110 says, and never to another tenant. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { call, contract, type StoredContent } from '#contract/endpoint.ts'
import { orNotFound } from '#contract/errors.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { implement } from './feature-module.ts'
import { rangeOf } from './file-answers.ts'
import { createHttpServer } from './http-server.ts'

describe('a range', () => {
  it.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-', { first: 0, last: 999 }],
    ['bytes=10-19', { first: 10, last: 19 }],
    ['BYTES=10-19', { first: 10, last: 19 }],
    ['bytes= 10 - 19 ', { first: 10, last: 19 }],
    ['bytes=990-5000', { first: 990, last: 999 }],
    ['bytes=999-', { first: 999, last: 999 }],
    ['bytes=-1', { first: 999, last: 999 }],
    ['bytes=-1000', { first: 0, last: 999 }],
    ['bytes=-99999999999999999999', { first: 0, last: 999 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    [undefined, null],
    ['', null],
    ['bytes=', null],
    ['bytes=-', null],
    ['bytes=19-10', null],
    ['bytes=0-1,5-6', null],
    ['bytes=a-b', null],
    ['bytes=1.5-2', null],
    ['bytes=--5', null],
    ['lines=0-1', null],
  ])('%s of 1000 bytes is %o', (header, range) => {
    expect(rangeOf(header, 1_000)).toEqual(range)
  })

  it('beyond 32 bits keeps every digit', () => {
    expect(rangeOf('bytes=5000000001-5000000002', 6_000_000_000)).toEqual({ first: 5_000_000_001, last: 5_000_000_002 })
    expect(rangeOf('bytes=-1', 6_000_000_000)).toEqual({ first: 5_999_999_999, last: 5_999_999_999 })
  })

  it.each(['bytes=0-0', 'bytes=0-', 'bytes=-1'])('%s of an empty file is unsatisfiable', header => {
    expect(rangeOf(header, 0)).toBe('unsatisfiable')
  })
})

const testSchemas = { calls: { file: {}, made: {}, stream: {} } }
const testCalls = contract<typeof testSchemas>({ name: 'test', area: 'company', access: 'user' }).calls({
  file: call('GET test/file/{id}', { media: 'application/octet-stream' }),
  made: call('GET test/made', { media: 'text/csv' }),
  stream: call('GET test/stream', { media: 'text/csv' }),
})
const module = implement(testCalls, testSchemas, {
  async file({ id }, { db }) {
    const row = await db.selectFrom('files').select(['sha256', 'bytes', 'name', 'media_type']).where('id', '=', id).executeTakeFirst()
    const file = orNotFound(row, 'file_not_found', 'File not found')
    return { bytes: file, name: file.name, media_type: file.media_type }
  },
  made: async () => ({ bytes: Buffer.from('a,b'), media_type: 'text/csv' }),
  stream: async () => ({
    bytes: (async function* () {
      yield 'a,'
      yield 'b'
    })(),
    media_type: 'text/csv',
  }),
})

const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251))
let testApp: TestApp
let operator: TestOperator
let server: FastifyInstance
let stored: StoredContent
let id: number
let own: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  server = createHttpServer(testApp.services, testApp.identities, [module])
  own = await operator.hire(['parcels'])
  stored = await testApp.services.files.put(operator.operator_id, content)
  id = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
    recordFile(db, stored, { media_type: 'application/octet-stream', name: 'film.mp4' }),
  )
})
afterAll(async () => {
  await server.close()
  await testApp.close()
})

const ask = (path: string, headers: Record<string, string> = {}, { method = 'GET' as 'GET' | 'HEAD', user = own } = {}) =>
  server.inject({
    method,
    url: `/api/${user.company.code}/test/${path}`,
    headers: { host: `${user.company.code}.localhost`, accept: 'application/json', authorization: user.token, ...headers },
  })

describe('a stored file', () => {
  it('comes whole, with its size, its hash and the offer of ranges', async () => {
    const answer = await ask(`file/${id}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(content)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-length': '200000',
      'accept-ranges': 'bytes',
      etag: `"${stored.sha256}"`,
      'content-disposition': expect.stringContaining('film.mp4'),
    })
  })

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=100-70099', 100, 70_099],
    ['bytes=199990-', 199_990, 199_999],
    ['bytes=-5', 199_995, 199_999],
  ])('answers %s with this part alone', async (range, first, last) => {
    const answer = await ask(`file/${id}`, { range })
    expect(answer.statusCode).toBe(206)
    expect(answer.rawPayload.equals(content.subarray(first, last + 1))).toBe(true)
    expect(answer.headers).toMatchObject({ 'content-range': `bytes ${first}-${last}/200000`, 'content-length': String(last - first + 1) })
  })

  it.each(['bytes=200000-', 'bytes=-0'])('refuses %s with its size', async range => {
    const answer = await ask(`file/${id}`, { range })
    expect(answer.statusCode).toBe(416)
    expect(answer.headers['content-range']).toBe('bytes */200000')
    expect(answer.json()).toMatchObject({ code: 'range_not_satisfiable' })
  })

  it.each(['bytes=0-1,4-5', 'bytes=5-1', 'pages=1-2'])('comes whole for %s', async range => {
    const answer = await ask(`file/${id}`, { range })
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 200_000])
  })

  it.each([
    ['its own hash', () => `"${stored.sha256}"`, 206],
    ['another hash', () => `"${stored.sha256.replace(/./g, '0')}"`, 200],
    ['its own hash as a weak one', () => `W/"${stored.sha256}"`, 200],
    ['a date', () => 'Sat, 21 Nov 2026 08:00:00 GMT', 200],
  ])('answers a range under the condition of %s', async (_, condition, status) => {
    const answer = await ask(`file/${id}`, { range: 'bytes=0-9', 'if-range': condition() })
    expect(answer.statusCode).toBe(status)
  })

  it('answers HEAD with the headers of the whole file and no body', async () => {
    const answer = await ask(`file/${id}`, { range: 'bytes=0-9' }, { method: 'HEAD' })
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 0])
    expect(answer.headers).toMatchObject({ 'content-length': '200000', 'accept-ranges': 'bytes', etag: `"${stored.sha256}"` })
  })

  it.each(['GET', 'HEAD'] as const)('of another company or operator does not exist for %s, whatever range is asked for', async method => {
    const foreign = await testApp.operator()
    for (const user of [await operator.hire(['admin'], operator.shops[0]), await foreign.hire(['admin'])])
      for (const range of ['bytes=0-9', 'bytes=999999-', ''])
        expect((await ask(`file/${id}`, { ...(range && { range }) }, { method, user })).statusCode).toBe(404)
    expect(
      (await server.inject({ method, url: `/api/${own.company.code}/test/file/${id}`, headers: { host: `${own.company.code}.localhost` } }))
        .statusCode,
    ).toBe(401)
  })

  it('that is lost from the disk is answered as missing', async () => {
    const lost = await testApp.services.files.put(operator.operator_id, Buffer.from('lost'))
    const lost_id = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      recordFile(db, lost, { media_type: 'text/plain', name: 'lost.txt' }),
    )
    const folder = join(testApp.services.config.data_dir, 'files')
    const [path] = (await readdir(folder, { recursive: true })).filter(name => name.endsWith(lost.sha256))
    await rm(join(folder, path as string))
    expect((await ask(`file/${lost_id}`)).statusCode).toBe(404)
  })
})

describe('a file that is made for the answer', () => {
  it('comes whole whatever range is asked for', async () => {
    for (const path of ['made', 'stream']) {
      const answer = await ask(path, { range: 'bytes=0-0' })
      expect([answer.statusCode, answer.payload, answer.headers['accept-ranges']]).toEqual([200, 'a,b', undefined])
    }
  })

  it('has no body for HEAD', async () => {
    expect((await ask('made', {}, { method: 'HEAD' })).headers['content-length']).toBe('3')
    for (const path of ['made', 'stream']) expect((await ask(path, {}, { method: 'HEAD' })).payload).toBe('')
  })
})
