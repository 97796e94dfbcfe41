/** Answers are compressed where it saves something, and never where it would hold back a stream. */
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { session } from '#contract/session.ts'
import { users } from '#features/company/users/users.contract.ts'
import { openTestApp, type TestApp, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  admin = await (await testApp.operator()).hire(['admin'])
})
afterAll(() => testApp.close())

const init = (accepted?: string) => admin.ask(session.init, {}, { headers: accepted ? { 'accept-encoding': accepted } : {} })

it('compresses JSON over a kilobyte as the client accepts it', async () => {
  const plain = await init()
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.rawPayload.length).toBeGreaterThan(1_024)
  const gzip = await init('gzip')
  expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringContaining('accept-encoding') })
  expect(gzip.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  expect(JSON.parse(gunzipSync(gzip.rawPayload).toString())).toEqual(plain.json())
  const brotli = await init('gzip, br')
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual(plain.json())
})

it('leaves small answers and files as they are', async () => {
  const headers = { 'accept-encoding': 'gzip, br' }
  expect((await admin.ask(session.current, {}, { headers })).headers['content-encoding']).toBeUndefined()
  expect((await admin.ask(users.export, {}, { headers })).headers['content-encoding']).toBeUndefined()
})

it('sends each frame of the change stream at once', async () => {
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = testApp.app.server.address() as AddressInfo
  const path = `/api/${admin.company.code}/live?missed=0`
  const received = Promise.withResolvers<{ encoding: string | undefined; text: string }>()
  const request = get(
    {
      host: '127.0.0.1',
      port,
      path,
      headers: { host: `${admin.company.code}.localhost`, authorization: admin.token, 'accept-encoding': 'gzip, br' },
    },
    answer =>
      answer.once('data', (part: Buffer) =>
        received.resolve({ encoding: answer.headers['content-encoding'], text: part.toString('utf8') }),
      ),
  )
  request.on('error', received.reject)
  const { encoding, text } = await received.promise
  request.destroy()
  expect(encoding).toBeUndefined()
  expect(text).toMatch(/^(:|event|data|id|retry)/)
})
