/** Requests to addresses that a company gave: only public ones. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressProblem, postOutside } from './outside-request.ts'

const server = createServer((request, response) => {
  if (request.url === '/redirect') response.writeHead(302, { location: '/there' }).end()
  else response.end(request.url === '/large' ? 'x'.repeat(5_000_000) : 'thank you')
})
let port: number
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => new Promise<void>(resolve => void server.close(() => resolve())))

const post = (path: string, allowedNetworks = ['127.0.0.0/8', '::1/128']) =>
  postOutside(`http://localhost:${port}${path}`, { headers: {}, body: '{}', signal: AbortSignal.timeout(5_000), allowedNetworks })

describe('an address', () => {
  it.each([
    ['https://shop.example.com/hook', undefined],
    ['https://shop.example.com:8443/hook', undefined],
    ['http://shop.example.com/', 'not_https'],
    ['ftp://shop.example.com/', 'unreadable'],
    ['https://user:secret@shop.example.com/', 'unreadable'],
    ['https://shop.example.com:22/', 'not_public'],
    ['https://shop.example.com./', 'not_public'],
    ['https://localhost/', 'not_public'],
    ['https://2130706433/', 'not_public'],
    ['https://0x7f.1/', 'not_public'],
    ['https://[::ffff:10.0.0.1]/', 'not_public'],
    ['https://１２７.0.0.1/', 'not_public'],
    ['https://93.184.215.14/', 'not_public'],
  ])('%s is judged as it is written', (url, problem) => {
    expect(addressProblem(url, [])).toBe(problem)
  })

  it('in a network that the deployment allows may be a number, and without encryption', () => {
    expect(addressProblem('http://10.1.2.3:9000/', ['10.1.0.0/16'])).toBeUndefined()
    expect(addressProblem('http://10.2.2.3:9000/', ['10.1.0.0/16'])).toBe('not_https')
  })
})

describe('a request', () => {
  it('is sent within an allowed network and answers status and text', async () => {
    expect(await post('/hook')).toEqual({ status: 200, text: 'thank you', retry_after: undefined })
  })

  it('does not connect when the name means a private address', async () => {
    await expect(post('/hook', ['10.0.0.0/8'])).rejects.toThrow('localhost resolves to a private address')
  })

  it('follows no redirect', async () => {
    expect(await post('/redirect')).toMatchObject({ status: 302 })
  })

  it('reads no more of a large answer than it keeps', async () => {
    expect((await post('/large')).text).toHaveLength(4_096)
  })

  it('ends when its time is over', async () => {
    const ended = postOutside(`http://localhost:${port}/hook`, {
      headers: {},
      body: '',
      signal: AbortSignal.abort(new Error('over')),
      allowedNetworks: ['127.0.0.0/8', '::1/128'],
    })
    await expect(ended).rejects.toThrow('over')
  })
})
