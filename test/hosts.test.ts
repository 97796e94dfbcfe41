/** Forged hosts, addresses and paths, sent over raw sockets because ordinary clients cannot send them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissions } from '#contract/access.ts'
import { cmsKeys } from '../src/features/company/api-keys/cms-keys.contract.ts'
import { sendRaw } from './raw-http.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from './test-app.ts'

let testApp: TestApp
let own: TestOperator
let other: TestOperator
let worker: TestUser
let stranger: TestUser
let port: number
/** Only a proxy at this address may say for whom it asks. */
const proxy = '127.0.0.2'

beforeAll(async () => {
  testApp = await openTestApp({ TRUSTED_PROXIES: `${proxy}/32` })
  own = await testApp.operator({ shops: 1, settings: { packing_ip_pattern: '10\\.1\\.2\\.3' } })
  other = await testApp.operator({})
  worker = await own.hire(permissions, own.main, 'Own')
  stranger = await other.hire(permissions, other.main, 'Other')
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  const address = testApp.app.server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => testApp.close())

const raw = (text: string | Buffer, from?: string) => sendRaw(port, text, from)
const get = (path: string, headers: string[], line = `GET ${path} HTTP/1.1`) =>
  [line, ...headers, `authorization: ${worker.token}`, 'accept: application/json', 'connection: close', '', ''].join('\r\n')
const path = () => `/api/${own.main.code}/session`
const at = (code: string) => `Host: ${code}.localhost:${port}`

describe('the host name', () => {
  it('is taken in any case, with its port and one trailing dot', async () => {
    const { code } = own.main
    for (const host of [
      `${code}.localhost`,
      `${code}.localhost:${port}`,
      `${code.toUpperCase()}.LOCALHOST`,
      `${code}.localhost.`,
      `${code}.localhost.:1`,
    ])
      expect(await raw(get(path(), [`Host: ${host}`])), host).toMatchObject({ status: 200 })
  })

  it('is refused in every shape that could be read in two ways, or that is not ours', async () => {
    const a = own.main.code
    const b = other.main.code
    const shapes: [string, string[], string?][] = [
      ['two names, other first', [at(b), at(a)]],
      ['two names, own first', [at(a), at(b)]],
      ['the same name twice', [at(a), at(a)]],
      ['none', []],
      ['none in HTTP/1.0', [], `GET ${path()} HTTP/1.0`],
      ['empty', ['Host:']],
      ['blank', ['Host:  ']],
      ['the other operator', [at(b)]],
      ['a sister', [at(own.shops[0]!.code)]],
      ['the bare domain', [`Host: localhost:${port}`]],
      ['a user before it', [`Host: ${b}@${a}.localhost`]],
      ['a user and password', [`Host: x:y@${a}.localhost`]],
      ['a list', [`Host: ${a}.localhost, ${b}.localhost`]],
      ['a list by space', [`Host: ${a}.localhost ${b}.localhost`]],
      ['a list by semicolon', [`Host: ${a}.localhost;${b}.localhost`]],
      ['a folded line', [`Host: ${a}.localhost`, ` ${b}.localhost`]],
      ['a foreign domain', ['Host: evil.example']],
      ['our name before a foreign domain', [`Host: ${a}.localhost.evil.example`]],
      ['a foreign domain as long as ours', [`Host: ${a}.evil.test`]],
      ['a foreign label as long as ours', [`Host: ${a}.evilhosts`]],
      ['a foreign name that ends like ours', [`Host: ${a}.evillocalhost`]],
      ['an address', [`Host: 127.0.0.1:${port}`]],
      ['an address of version 6', [`Host: [::1]:${port}`]],
      ['an address as a number', ['Host: 2130706433']],
      ['a scheme before it', [`Host: http://${a}.localhost`]],
      ['a path behind it', [`Host: ${a}.localhost/x`]],
      ['a query behind it', [`Host: ${a}.localhost?x`]],
      ['a fragment behind it', [`Host: ${a}.localhost#x`]],
      ['a backslash', [`Host: ${a}.localhost\\x`]],
      ['two labels', [`Host: x.${a}.localhost`]],
      ['our name as the second label', [`Host: ${b}.${a}.localhost`]],
      ['two trailing dots', [`Host: ${a}.localhost..`]],
      ['a leading dot', [`Host: .${a}.localhost`]],
      ['an empty label', [`Host: ${a}..localhost`]],
      ['a port that is no number', [`Host: ${a}.localhost:x`]],
      ['a port of six digits', [`Host: ${a}.localhost:123456`]],
      ['two ports', [`Host: ${a}.localhost:1:2`]],
      ['an underscore', [`Host: ${a}_.localhost`]],
      ['a percent sign', [`Host: ${a}%2elocalhost`]],
      ['letters of another alphabet', [`Host: ${a.replace('m', 'м')}.localhost`]],
      ['a soft hyphen', [`Host: ${a}\u00ad.localhost`]],
      ['a zero byte', [`Host: ${a}\u0000.localhost`]],
      ['a tab', [`Host: ${a}\t.localhost`]],
      ['five thousand letters', [`Host: ${'a'.repeat(5_000)}.localhost`]],
      ['a label of 64', [`Host: ${'a'.repeat(64)}.localhost`]],
      ['a hyphen at the end', [`Host: ${a}-.localhost`]],
      ['a space before the colon', [`Host : ${a}.localhost`]],
      ['a whole address in the line, other host', [at(b)], `GET http://${a}.localhost${path()} HTTP/1.1`],
      ['a whole address of the other, own path', [at(b)], `GET http://${b}.localhost${path()} HTTP/1.1`],
    ]
    expect(shapes.length).toBeGreaterThan(40)
    const entered: string[] = []
    for (const [name, headers, line] of shapes) {
      const { status, text } = await raw(get(path(), headers, line))
      if (![0, 400, 404, 421].includes(status) || text.includes('"user_id"')) entered.push(`${name}: ${status}`)
    }
    expect(entered).toEqual([])
  })

  it('of the page must match for writes: pages of another company, of another site and without an origin are refused', async () => {
    const write = (origin: string) =>
      testApp.app.inject({
        method: 'DELETE',
        url: `/api/${own.main.code}/user/my_sessions/999999`,
        headers: { host: `${own.main.code}.localhost`, authorization: worker.token, origin },
      })
    expect((await write(`http://${own.main.code}.localhost`)).statusCode).toBe(404)
    const refused = [
      `http://${own.shops[0]!.code}.localhost`,
      `http://${other.main.code}.localhost`,
      'http://localhost',
      `https://${own.main.code}.localhost`,
      `http://${own.main.code}.localhost:1`,
      `http://${own.main.code}.localhost.evil.example`,
      'http://evil.example',
      'null',
      'file://',
      'x',
    ]
    for (const origin of refused) expect((await write(origin)).statusCode, origin).toBe(403)
  })

  it('of the page must match in its scheme too, and HTTPS is asked for from then on', async () => {
    const write = (from: string, origin: string) =>
      raw(
        get(
          '',
          [at(own.main.code), 'X-Forwarded-Proto: https', `Origin: ${origin}`],
          `DELETE /api/${own.main.code}/user/my_sessions/999999 HTTP/1.1`,
        ),
        from,
      )
    const page = `${own.main.code}.localhost:${port}`
    const [secure, downgraded, untrusted] = [
      await write(proxy, `https://${page}`),
      await write(proxy, `http://${page}`),
      await write('127.0.0.1', `https://${page}`),
    ]
    expect([secure.status, downgraded.status, untrusted.status]).toEqual([404, 403, 403])
    expect(secure.text).toContain('strict-transport-security: max-age=31536000; includeSubDomains')
    expect(untrusted.text).not.toContain('strict-transport-security')
  })

  it('gets no permission for other pages to read what it answers', async () => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await testApp.app.inject({
        method,
        url: path(),
        headers: { host: `${own.main.code}.localhost`, origin: 'http://evil.example', 'access-control-request-method': 'GET' },
      })
      expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
    }
  })
})

describe('the address of the caller', () => {
  const lies = (ip: string): string[][] => [
    [`X-Forwarded-For: ${ip}`],
    [`X-Forwarded-For: ${ip}, 127.0.0.1`],
    [`X-Forwarded-For: 127.0.0.1, ${ip}`],
    [`X-Forwarded-For: ${ip}, ${proxy}`],
    [`X-Forwarded-For: ${ip}`, `X-Forwarded-For: ${ip}`],
    [`x-forwarded-for: ${ip}:443`],
    [`X-Forwarded-For: "${ip}"`],
    [`X-Forwarded-For: ::ffff:${ip}`],
    [`X-Forwarded-For: unknown, ${ip}`],
    [`X-Forwarded-For:${ip}\t`],
    [`X-Real-IP: ${ip}`],
    [`X-Client-IP: ${ip}`],
    [`Client-IP: ${ip}`],
    [`True-Client-IP: ${ip}`],
    [`CF-Connecting-IP: ${ip}`],
    [`X-Cluster-Client-IP: ${ip}`],
    [`Forwarded: for=${ip}`],
    [`Forwarded: for="[::ffff:${ip}]";proto=https;host=${other.main.code}.localhost`],
    [`X-Originating-IP: ${ip}`],
    [`X-Remote-Addr: ${ip}`, `X-Host: ${other.main.code}.localhost`],
    [`Via: 1.1 ${ip}`, `X-Forwarded-For: ${ip}, ${ip}, ${ip}`],
  ]
  /** A call that asks for the warehouse's network. */
  const locked = () => `/api/${own.main.code}/packing/require_password_pin`
  const publicIp = () => `/api/${own.main.code}/res/client/public_ip`

  it('is that of the connection, whatever the headers of somebody who is no proxy say', async () => {
    for (const headers of lies('10.1.2.3')) {
      expect(await raw(get(locked(), [at(own.main.code), ...headers])), headers.join()).toMatchObject({ status: 403 })
      expect((await raw(get(publicIp(), [at(own.main.code), ...headers]))).text, headers.join()).toContain('"ip":"127.0.0.1"')
    }
  })

  it('is the last address that a known proxy adds, never one that the client sent to the proxy', async () => {
    const through = (forwarded: string[]) => raw(get(locked(), [at(own.main.code), ...forwarded]), proxy)
    expect(await through(['X-Forwarded-For: 10.1.2.3'])).toMatchObject({ status: 200 })
    // A proxy adds the address it saw behind whatever the client had written.
    for (const headers of [
      ['X-Forwarded-For: 10.1.2.3, 9.9.9.9'],
      ['X-Forwarded-For: 10.1.2.3, 10.1.2.3, 9.9.9.9'],
      ['X-Forwarded-For: 10.1.2.3', 'X-Forwarded-For: 9.9.9.9'],
      [`X-Forwarded-For: 10.1.2.3, 9.9.9.9, ${proxy}`],
      ['X-Forwarded-For: 110.1.2.3'],
      ['X-Forwarded-For: 10.1.2.30'],
      ['X-Real-IP: 10.1.2.3', 'X-Forwarded-For: 9.9.9.9'],
      ['Forwarded: for=10.1.2.3', 'X-Forwarded-For: 9.9.9.9'],
      ['X-Real-IP: 10.1.2.3'],
      ['Forwarded: for=10.1.2.3'],
    ])
      expect(await through(headers), headers.join()).toMatchObject({ status: 403 })
  })

  it('may not bring another host along, nor another protocol', async () => {
    const headers = [`X-Forwarded-Host: ${own.main.code}.localhost`, 'X-Forwarded-Proto: https']
    expect(await raw(get(path(), [at(other.main.code), ...headers]))).toMatchObject({ status: 404 })
    const { text } = await raw(get('/api_server', [at(own.main.code), `X-Forwarded-Host: evil.example`, 'X-Forwarded-Proto: javascript']))
    expect(text).not.toContain('evil.example')
    expect(text).not.toContain('javascript:')
  })
})

describe('the path', () => {
  it('reaches no other company in any spelling', async () => {
    const a = own.main.code
    const b = other.main.code
    const tricks = [
      `/api/${b}/session`,
      `/api/${a}/../${b}/session`,
      `/api/${b}/../${a}/../${b}/session`,
      `/api/${a}/%2e%2e/${b}/session`,
      `/api/${a}%2f..%2f${b}/session`,
      `/api/${a}/..%2f${b}/session`,
      `/api//${b}/session`,
      `//api/${b}/session`,
      `/api/${b};${a}/session`,
      `/api/${b}%00/session`,
      `/api/${b}%20/session`,
      `/api/${b.toUpperCase()}/session`,
      `/api/./${b}/session`,
      `/api/${a}/session/../../${b}/session`,
      `/API/${b}/session`,
      `/api\\${b}\\session`,
      `/%61pi/${b}/session`,
      `/api/${encodeURIComponent(`${b}/session`)}`,
    ]
    for (const trick of tricks) {
      const { status, text } = await raw(get(trick, [at(a)]))
      // An address that is no call's is answered by the page, where it has been built.
      if (!(status === 200 && text.includes('<!doctype html'))) expect([0, 400, 404, 421], trick).toContain(status)
      expect(text, trick).not.toContain('"user_id"')
    }
  })

  it('leads to no file outside of what is built', async () => {
    for (const trick of [
      '/../package.json',
      '/..%2f..%2fpackage.json',
      '/assets/../../../package.json',
      '/%2e%2e/%2e%2e/package.json',
      '/....//package.json',
      '/assets/..%5c..%5cpackage.json',
      '/translations/..%2fpackage.json',
      '/translations/../package.json',
      '/.git/config',
      '/.env',
    ]) {
      const { status, text } = await raw(get(trick, [at(own.main.code)]))
      expect(text, trick).not.toMatch(/"dependencies"|\[core\]|SECRET_KEY/)
      expect(status === 200 && !text.includes('<!doctype html'), `${trick}: ${status}`).toBe(false)
    }
  })

  it('takes no token out of the query, a cookie or the body', async () => {
    const bare = (line: string, ...headers: string[]) =>
      raw([line, at(own.main.code), ...headers, 'accept: application/json', 'connection: close', '', ''].join('\r\n'))
    for (const name of ['token', 'authorization', 'access_token', 'user-token', 'api_key'])
      expect(await bare(`GET ${path()}?${name}=${worker.token} HTTP/1.1`), name).toMatchObject({ status: 401 })
    expect(await bare(`GET ${path()} HTTP/1.1`, `Cookie: token=${worker.token}; authorization=${worker.token}`)).toMatchObject({
      status: 401,
    })
    expect(await bare(`GET ${path()} HTTP/1.1`, `X-Authorization: ${worker.token}`)).toMatchObject({ status: 401 })
    expect(await raw(get(`/api/${other.main.code}/session`, [at(other.main.code)]))).toMatchObject({ status: 404 })
    expect((await bare(`GET /api/${other.main.code}/session HTTP/1.1`, `Authorization: ${stranger.token}`)).status).toBe(404)
  })

  it('cannot be made into two requests by lengths that disagree', async () => {
    const inside = `GET /api/${other.main.code}/session HTTP/1.1\r\nHost: ${other.main.code}.localhost\r\n\r\n`
    for (const lengths of [
      ['Content-Length: 4', 'Transfer-Encoding: chunked'],
      ['Content-Length: 4', `Content-Length: ${inside.length}`],
      ['Transfer-Encoding: chunked, identity'],
      ['Transfer-Encoding: xchunked'],
      ['Transfer-Encoding : chunked'],
      ['Content-Length: -1'],
      ['Content-Length: +4'],
    ]) {
      const { status, text } = await raw([`POST ${path()} HTTP/1.1`, at(own.main.code), ...lengths, '', inside].join('\r\n'))
      expect([0, 400, 404, 415, 501], lengths.join()).toContain(status)
      expect(text.match(/HTTP\/1\.1 2/g), lengths.join()).toBe(null)
    }
  })
})

describe('what every answer carries', () => {
  it('forbids browsers to guess types, to frame, to send the referrer, and to cache an answer of the API', async () => {
    const api = await testApp.app.inject({
      method: 'GET',
      url: path(),
      headers: { host: `${own.main.code}.localhost`, authorization: worker.token },
    })
    expect(api.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-type': expect.stringContaining('application/json'),
    })
    for (const url of ['/docs', '/conf.json', '/healthz', '/nothing/here', `/api/${own.main.code}/nothing`]) {
      const { headers } = await testApp.app.inject({ method: 'GET', url, headers: { host: `${own.main.code}.localhost` } })
      expect(headers['x-content-type-options'], url).toBe('nosniff')
      for (const rule of ["frame-ancestors 'none'", "base-uri 'none'", /object-src 'none'|default-src 'none'/])
        expect(headers['content-security-policy'], url).toMatch(rule)
      expect(headers['x-powered-by'] ?? headers.server, url).toBeUndefined()
    }
    const page = await testApp.app.inject({ method: 'GET', url: '/', headers: { host: `${own.main.code}.localhost` } })
    // Only where the screens have been built.
    if (page.statusCode === 200) {
      const policy = String(page.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("object-src 'none'")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(/script-src ([^;]*)/.exec(policy)?.[1]).not.toMatch(/'unsafe-inline'|'unsafe-eval'|https?:|\*/)
    }
  })
})

it('answers no TRACE, which would send back what a proxy adds', async () => {
  const { status, text } = await raw(get(path(), [at(own.main.code), 'X-Added-By-Proxy: hidden'], `TRACE ${path()} HTTP/1.1`))
  expect([400, 404, 405]).toContain(status)
  expect(text).not.toContain('hidden')
})

describe('this computer’s own names', () => {
  let single: TestApp
  let only: TestOperator
  let admin: TestUser
  let key: string
  beforeAll(async () => {
    single = await openTestApp()
    only = await single.operator({ shops: 1 })
    admin = await only.hire(permissions)
    ;({ key } = await admin.send(cmsKeys.create, { body: { name: 'Shop' } }))
  })
  afterAll(() => single.close())

  const names = ['127.0.0.1', '127.0.0.1:8080', '[::1]', '[::1]:8080', 'localhost', 'localhost:8080', 'LOCALHOST']
  const ask = (host: string, path: string, authorization: string, headers: Record<string, string> = {}, method: 'GET' | 'DELETE' = 'GET') =>
    single.app.inject({ method, url: `/api/${path}`, headers: { host, authorization, accept: 'application/json', ...headers } })
  const codeOf = async (...asked: Parameters<typeof ask>): Promise<unknown> => (await ask(...asked)).json().code

  it('answer for the company in the path while there is one operator', async () => {
    for (const host of names) {
      expect((await ask(host, `${only.main.code}/session`, admin.token)).json(), host).toMatchObject({ user: { user_id: admin.user_id } })
      expect(await codeOf(host, `${only.main.code}/cms/orders/none`, key), host).toBe('order_not_found')
    }
  })

  it('let no token into another company, and no path through that is no company', async () => {
    for (const host of names) {
      for (const code of [only.shops[0]!.code, 'nothing', 'a%00b', '%00', 'a.b', ''])
        expect((await ask(host, `${code}/session`, admin.token)).statusCode, `${host} ${code}`).toBe(404)
      expect(await codeOf(host, `${only.shops[0]!.code}/cms/orders/none`, key), host).toBe('company_not_at_address')
      expect((await ask(host, `${only.main.code}/session`, '')).statusCode, host).toBe(401)
    }
  })

  it('take no write of another page', async () => {
    const path = `${only.main.code}/user/my_sessions/999999`
    const write = (origin: string) => ask('127.0.0.1:8080', path, admin.token, { origin }, 'DELETE')
    expect((await write('http://127.0.0.1:8080')).statusCode).toBe(404)
    for (const origin of [
      'http://127.0.0.1:3000',
      'http://localhost:8080',
      `http://${only.main.code}.localhost:8080`,
      'http://evil.example',
      'null',
    ])
      expect((await write(origin)).statusCode, origin).toBe(403)
  })

  it('show the API’s document with the address that works, but no screens', async () => {
    const { servers } = (await single.app.inject({ url: '/openapi.json', headers: { host: '127.0.0.1:8080' } })).json()
    expect(servers).toMatchObject([{ url: 'http://127.0.0.1:8080/api/{company}' }])
    for (const url of ['/', '/orders', '/tracking'])
      expect((await single.app.inject({ url, headers: { host: '127.0.0.1:8080' } })).statusCode, url).toBe(421)
    expect((await ask('127.0.0.1', `${only.main.code}/nothing`, admin.token)).statusCode).toBe(404)
  })

  it('do not stand for other names of this computer, nor for other base domains', async () => {
    for (const host of ['127.0.0.2', '127.1', '[::]', '[::ffff:127.0.0.1]', '0.0.0.0', '127.0.0.1.', '127.0.0.1.evil.example'])
      expect((await ask(host, `${only.main.code}/session`, admin.token)).statusCode, host).toBe(421)
    const elsewhere = await openTestApp({ BASE_DOMAIN: 'pakhus.example' })
    try {
      const there = await elsewhere.operator()
      const person = await there.hire(permissions)
      for (const host of names) {
        const headers = { host, authorization: person.token }
        expect((await elsewhere.app.inject({ url: `/api/${there.main.code}/session`, headers })).statusCode, host).toBe(421)
      }
    } finally {
      await elsewhere.close()
    }
  })

  it('answer for no company once there is a second operator', async () => {
    const second = await single.operator()
    const person = await second.hire(permissions)
    // The number of operators is remembered for seconds.
    single.setNow(new Date(Date.now() + 5_000))
    for (const host of names)
      for (const { company, token } of [admin, person]) {
        const { statusCode } = await ask(host, `${company.code}/session`, token)
        expect(statusCode, host).toBe(/^localhost/i.test(host) ? 404 : 421)
      }
    expect((await ask(`${only.main.code}.localhost`, `${only.main.code}/session`, admin.token)).statusCode).toBe(200)
  })
})
