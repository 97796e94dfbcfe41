/**
 * 5,000 forged requests, drawn from pieces of hosts, forwarded headers, paths and lengths: a company is reached only under its own host, an address is believed
 * only from a known proxy, and no answer holds anything of another operator.
 */
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '#contract/access.ts'
import { each } from '../api-client.ts'
import { sendRaw } from '../raw-http.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '../test-app.ts'

const amount = Number(process.env.PROOF_AMOUNT ?? 5_000)
const seed = Number(process.env.PROOF_SEED ?? 1)
/** Some announce a body that never comes, and wait for ten seconds. */
const atOnce = 100
const proxy = '127.0.0.2'
const warehouse = '10.1.2.3'
let testApp: TestApp
let own: TestOperator
let other: TestOperator
let worker: TestUser
let port: number

beforeAll(async () => {
  testApp = await openTestApp({ TRUSTED_PROXIES: `${proxy}/32` })
  own = await testApp.operator({ settings: { packing_ip_pattern: warehouse.replaceAll('.', '\\.') } })
  other = await testApp.operator()
  worker = await own.hire(permissions, own.main, 'Own')
  await other.hire(permissions, other.main, 'Kanarie7Q')
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  port = (testApp.app.server.address() as AddressInfo).port
})
afterAll(() => testApp.close())

interface Forged {
  hosts: string[]
  code: string
  forwarded: string[]
  extra: string[]
  origin: string | undefined
  method: string
  path: 'session' | 'packing/require_password_pin' | 'res/client/public_ip'
  byProxy: boolean
}

/** Requests by chance; each piece is taken as often as the others. */
function forged(): fc.Arbitrary<Forged> {
  const [mine, theirs] = [own.main.code, other.main.code]
  const glue = fc.constantFrom(
    '',
    '.',
    '..',
    ',',
    ', ',
    ' ',
    ';',
    '@',
    '/',
    '\\',
    '?',
    '#',
    ':',
    ':80',
    ':x',
    '%2e',
    '%00',
    '\t',
    '-',
    '_',
    '\u00ad',
  )
  const name = fc.constantFrom(mine, theirs, mine.toUpperCase(), 'localhost', 'evil.example', '127.0.0.1', '[::1]', '', 'x')
  const whole = fc.constantFrom(`${mine}.localhost`, `${mine}.localhost:${port}`, `${mine.toUpperCase()}.LOCALHOST.`)
  const built = fc
    .tuple(name, glue, name, glue, fc.constantFrom('localhost', 'localhost.', 'evil.example', ''))
    .map(parts => parts.join(''))
  const host = fc.oneof({ weight: 2, arbitrary: whole }, { weight: 5, arbitrary: built }, fc.constant(`${theirs}.localhost`))
  const ip = fc.constantFrom(
    warehouse,
    '9.9.9.9',
    '127.0.0.1',
    proxy,
    `::ffff:${warehouse}`,
    `"${warehouse}"`,
    `${warehouse}:1`,
    'unknown',
    '',
  )
  const list = fc.array(ip, { minLength: 1, maxLength: 3 }).map(ips => ips.join(', '))
  const address = fc
    .tuple(fc.constantFrom('X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP'), list)
    .map(([header, value]) => `${header}: ${header === 'Forwarded' ? `for=${value}` : value}`)
  const extra = fc.constantFrom(
    ...[
      `X-Forwarded-Host: ${mine}.localhost`,
      `X-Forwarded-Host: ${theirs}.localhost`,
      'X-Forwarded-Proto: https',
      `X-Host: ${theirs}.localhost`,
    ],
    ...[
      `X-Original-URL: /api/${theirs}/session`,
      `X-Rewrite-URL: /api/${theirs}/session`,
      'X-HTTP-Method-Override: DELETE',
      `X-Company: ${theirs}`,
    ],
    ...[
      'Content-Length: 4',
      'Transfer-Encoding: xchunked',
      `Cookie: token=${worker.token}`,
      'X-User-ID: 1',
      'Range: bytes=0-9',
      'Expect: x',
    ],
  )
  return fc.record({
    hosts: fc.oneof({ weight: 6, arbitrary: host.map(one => [one]) }, fc.array(host, { minLength: 0, maxLength: 3 })),
    code: fc.oneof(
      { weight: 4, arbitrary: fc.constant(mine) },
      fc.constantFrom(theirs, mine.toUpperCase(), `${mine}%00`, `${theirs}/../${mine}`),
    ),
    forwarded: fc.array(address, { maxLength: 3 }),
    extra: fc.array(extra, { maxLength: 2 }),
    origin: fc.option(fc.constantFrom(`http://${mine}.localhost`, `http://${theirs}.localhost`, 'null', 'http://evil.example'), {
      nil: undefined,
    }),
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'get', 'CONNECT'),
    path: fc.constantFrom('session', 'packing/require_password_pin', 'res/client/public_ip'),
    byProxy: fc.boolean(),
  })
}

/** What the server may believe of the address: that of the connection, or the last one that the proxy named. */
function mayBeWarehouse({ byProxy, forwarded }: Forged): boolean {
  return byProxy && forwarded.some(line => line.startsWith('X-Forwarded-For') && line.includes(warehouse))
}

it('lets no forged header lead to another company, another address or another method', async () => {
  const isHostOf = (code: string, host: string) => new RegExp(`^${code}\\.localhost\\.?(:\\d{1,5})?$`, 'i').test(host)
  const wrong: string[] = []
  let entered = 0
  await each(
    fc.sample(forged(), { numRuns: amount, seed }),
    async request => {
      const lines = [
        `${request.method} /api/${request.code}/${request.path} HTTP/1.1`,
        ...request.hosts.map(host => `Host: ${host}`),
        ...request.forwarded,
        ...request.extra,
        ...(request.origin === undefined ? [] : [`Origin: ${request.origin}`]),
        `authorization: ${worker.token}`,
        'accept: application/json',
        'connection: close',
      ]
      const { status, text } = await sendRaw(port, Buffer.from([...lines, '', ''].join('\r\n')), request.byProxy ? proxy : '127.0.0.1')
      const complain = (why: string) => wrong.push(`${why} (${status}): ${JSON.stringify(lines.slice(0, -3))}`)
      if (status === 200 || status === 204) {
        if (request.method !== 'OPTIONS') entered++
        // A name with blanks around it is that name: RFC 9112, section 5.1. A known proxy may name the host; the documented ones always do.
        const named = request.byProxy ? request.extra.findLast(line => line.startsWith('X-Forwarded-Host: '))?.slice(18) : undefined
        const [host = '', ...more] = request.hosts.map(one => one.trim())
        // The address of the caller is said without a sign-in, by each company under its own host.
        const companies = request.path === 'res/client/public_ip' ? [own.main.code, other.main.code] : [own.main.code]
        const entersAsNamed = companies.includes(request.code) && more.length === 0 && isHostOf(request.code, named ?? host)
        if (request.method !== 'OPTIONS' && !entersAsNamed) complain('entered')
        if (request.path === 'packing/require_password_pin' && request.method === 'GET' && !mayBeWarehouse(request))
          complain('believed an address')
        const ip = /"ip":"([^"]*)"/.exec(text)?.[1]
        if (ip !== undefined && !request.byProxy && ip !== '127.0.0.1') complain(`took ${ip} for the address`)
        if (['TRACE', 'CONNECT', 'PUT'].includes(request.method)) complain('took the method')
      } else if (![0, 400, 403, 404, 405, 415, 417, 421, 501].includes(status)) complain('answered strangely')
      if (/Kanarie7Q/.test(text)) complain('showed another operator')
      if (/access-control-allow-origin: (?!null)/i.test(text)) complain('allowed an origin')
    },
    atOnce,
  )
  console.info(`headers: ${amount} forged requests, ${entered} of them allowed to enter, ${wrong.length} wrong`)
  expect(wrong.slice(0, 20)).toEqual([])
  expect(entered).toBeGreaterThan(amount / 100)
})
