/** 40 addresses that lead inside, given to web hooks, shops, sign-in providers, mail servers and printers: none of them is ever connected to. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '#contract/access.ts'
import type { Call } from '#contract/endpoint.ts'
import { signInProvider } from '#features/company/sign-in-provider/sign-in-provider.contract.ts'
import { sendOverSmtp } from '#features/deliveries/mail/smtp.server.ts'
import { shopConnections } from '#features/deliveries/shop-connections/shop-connections.contract.ts'
import { webhooks } from '#features/deliveries/webhooks/webhooks.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { fetchOutside, postOutside, resolveOutside } from '#platform/http/outside-request.ts'
import { openTestApp, type TestApp, type TestOperator } from '../test-app.ts'

let testApp: TestApp
let operator: TestOperator
let http: Server
let port: number
let connections = 0

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  http = createServer((_, response) => response.end('inside'))
  http.on('connection', () => connections++)
  await new Promise<void>(resolve => http.listen(0, '::', resolve))
  port = (http.address() as AddressInfo).port
})
afterAll(async () => {
  http.closeAllConnections()
  await new Promise<void>(resolve => void http.close(() => resolve()))
  await testApp.close()
})

/** Ways to write an address that is not public: this computer, private networks, metadata of clouds, and what hides them. */
const hosts = [
  ...['127.0.0.1', 'localhost', '0.0.0.0', '0', '2130706433', '0x7f000001', '0x7f.0x0.0x0.0x1', '0177.0.0.1', '017700000001', '127.1'],
  ...[
    '127.0.1',
    '127.127.127.127',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
  ],
  ...['[2002:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fec0::1]', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
  ...[
    '224.0.0.1',
    '255.255.255.255',
    '１２７.0.0.1',
    '127。0。0。1',
    'ⓛocalhost',
    'LOCALHOST',
    'localhost.',
    'app.localhost',
    'localhost.localdomain',
  ],
  ...['127.0.0.1.', '%31%32%37.0.0.1', 'ip6-localhost', '[::127.0.0.1]'],
]

it('never connects to an address inside', async () => {
  expect(new Set(hosts).size).toBe(40)
  const admin = await operator.hire(permissions)
  const reached: string[] = []
  const answered: string[] = []
  let asked = 0
  const tried = (what: string) => {
    asked++
    if (connections > 0) reached.push(what)
    connections = 0
  }
  /** Somebody inside answers, or the call breaks. A name that could be public is taken: it is resolved when a connection is opened. */
  const save = async (what: string, call: Call, body: object) => {
    const { statusCode, body: text } = await admin.ask(call, { body })
    if (statusCode >= 500 && statusCode !== 502 && statusCode !== 503) answered.push(`${what}: ${statusCode} ${text.slice(0, 200)}`)
    tried(what)
  }
  const mustFail = async (what: string, work: () => Promise<unknown>) => {
    await work().then(
      () => answered.push(what),
      () => undefined,
    )
    tried(what)
  }
  // The proof can see: with the network permitted the same question arrives.
  const permitted = { headers: {}, signal: AbortSignal.timeout(5_000), allowedNetworks: ['127.0.0.0/8'] }
  expect((await postOutside(`http://127.0.0.1:${port}/`, { ...permitted, body: '{}' })).text).toBe('inside')
  expect(connections).toBe(1)
  connections = 0
  let n = 0
  for (const host of hosts) {
    const bare = host.replace(/^\[|\]$/g, '')
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port}/`
      n++
      const { rows } = await admin.send(webhooks.list, {})
      for (const { id } of rows) await admin.send(webhooks.remove, { id })
      await save(`web hook ${url}`, webhooks.save, { name: `Hook ${n}`, url, events: ['order.packed'] })
      // Twenty tries a minute are allowed.
      testApp.setNow(new Date(Date.now() + n * 120_000))
      const keys = { credentials: { consumer_key: 'ck_x', consumer_secret: 'cs_x' }, settings: {} }
      await save(`shop ${url}`, shopConnections.try, { system: 'woocommerce', base_url: url, ...keys })
      const { provider } = await admin.send(signInProvider.get, {})
      const client = { name: 'Inside', issuer: url, client_id: 'x', client_secret: 'y', active: true, second_factor: false }
      await save(`provider ${url}`, signInProvider.save, { ...client, version: provider?.version ?? null })
      if ((await admin.send(signInProvider.get, {})).provider) await save(`provider ${url}, tried`, signInProvider.test, {})
      // What the calls refuse is also tried at the very places that connect.
      const common = { headers: {}, signal: AbortSignal.timeout(5_000), allowedNetworks: [] }
      await mustFail(`post to ${url}`, () => postOutside(url, { ...common, body: '{}' }))
      await mustFail(`fetch from ${url}`, () => fetchOutside(url, { ...common, method: 'GET', body: undefined }))
    }
    await save(`printer ${bare}`, printers.add, { name: `Printer ${n}`, host: bare, port: 9100 })
    await mustFail(`print on ${bare}`, () => resolveOutside(bare, []))
    await mustFail(`mail through ${bare}`, async () => {
      const account = { host: bare, port, security: 'none', user_name: null, from_name: 'x', from_address: 'x@example.com', reply_to: null }
      const letter = { to: { name: 'x', address: 'x@example.com' }, subject: 'x', text: 'x', html: 'x', language: 'en' }
      const { problem } = await sendOverSmtp(
        account as never,
        null,
        { ...letter, message_id: 'x@example.com', date: new Date() },
        { allowedNetworks: [], signal: AbortSignal.timeout(5_000) },
      )
      if (problem !== null) throw new Error(problem)
    })
  }
  console.info(
    `ssrf: ${hosts.length} targets, ${asked} tries at web hooks, shops, providers, mail servers and printers: ${reached.length} reached, ${answered.length} answered`,
  )
  expect({ reached, answered }).toEqual({ reached: [], answered: [] })
})
