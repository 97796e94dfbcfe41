/** A name that means another address the second time: requests connect to the very answer that was judged. */
import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { postOutside } from './outside-request.ts'

const resolver = vi.hoisted(() => ({ answers: [] as string[], asked: 0 }))
vi.mock('node:dns', async original => ({
  ...(await original<typeof import('node:dns')>()),
  lookup: ((_host, _options, done) => {
    const address = resolver.answers[Math.min(resolver.asked++, resolver.answers.length - 1)] ?? ''
    done(null, [{ address, family: 4 }])
  }) satisfies LookupFunction,
}))

let reached = 0
const server = createServer((_request, response) => {
  reached++
  response.end('here')
})
beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise<void>(resolve => void server.close(() => resolve())))
beforeEach(() => {
  resolver.asked = 0
  reached = 0
})

const post = (allowedNetworks: readonly string[]) =>
  postOutside(`http://shop.example.com:${(server.address() as AddressInfo).port}/`, {
    headers: {},
    body: '{}',
    signal: AbortSignal.timeout(2_000),
    allowedNetworks,
  })

it('a request asks once for the address, and the next one judges it anew', async () => {
  resolver.answers = ['127.0.0.1', '10.0.0.1']
  expect(await post(['127.0.0.0/8'])).toMatchObject({ status: 200 })
  expect(resolver.asked).toBe(1)
  await expect(post(['127.0.0.0/8'])).rejects.toThrow('resolves to a private address')
  expect([resolver.asked, reached]).toEqual([2, 1])
})

it('a name that was public and now means this machine is not reached', async () => {
  resolver.answers = ['127.0.0.1']
  await expect(post(['10.0.0.0/8'])).rejects.toThrow('resolves to a private address')
  expect(reached).toBe(0)
})
