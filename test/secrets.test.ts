/** Secrets: what is typed once stands nowhere in the clear – not in the log, not in the database, not in any answer. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '#contract/access.ts'
import { buildUser, scopeOfCompany } from '../src/app/demo/builders.ts'
import { allCalls, namesIn } from './api-client.ts'
import { dumpOf } from './fixtures.ts'
import { type ServerProcess, send, startServer } from './server-process.ts'
import { openTestApp, type TestApp, type TestOperator } from './test-app.ts'

const secret = {
  password: 'Zauberwort-8813-lang-genug',
  wrong: 'Falschwort-4471-lang-genug',
  printnode: 'PN-canary-77aa55-0123456789',
  hook: 'hook-canary-99bb33-0123456789',
  pin: '73914682',
  metrics: 'metrics-canary-55cc11-0123456789',
}
let testApp: TestApp
let operator: TestOperator
let child: ServerProcess
let root: pg.Client
const data_dir = mkdtempSync(join(tmpdir(), 'pakhus-secrets-'))

beforeAll(async () => {
  testApp = await openTestApp()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  operator = await testApp.operator({ settings: { packing_ip_pattern: '127\\.0\\.0\\.1' } })
  await buildUser(testApp.services.database, scopeOfCompany(operator), {
    name: 'Boss',
    user_name: 'boss',
    email: 'boss@example.test',
    password: secret.password,
    permissions,
  })
  child = await startServer({
    DATA_DIR: data_dir,
    DATABASE_URL: testApp.url,
    LOG_LEVEL: 'debug',
    PRINTNODE_URL: 'http://127.0.0.1:9',
    METRICS_TOKEN: secret.metrics,
  })
})
afterAll(async () => {
  await child?.kill('SIGKILL')
  await root.end()
  await testApp.close()
  rmSync(data_dir, { recursive: true, force: true })
})

it('of every kind are used and then found nowhere', async () => {
  const company = operator.main.code
  const ask = (method: string, path: string, body?: unknown, token?: string) =>
    send(child.port, { method, path, company, ...(body === undefined ? {} : { body }), ...(token && { token }) })
  expect((await ask('POST', 'session', { login: 'boss', password: secret.wrong })).status).toBe(401)
  const login = await ask('POST', 'session', { login: 'boss', password: secret.password })
  expect(login.status).toBe(200)
  const { token } = login.body as { token: string }
  const made = await ask('POST', 'cms/authorization', { name: 'Shop key' }, token)
  const { key } = made.body as { key: string }
  expect((await ask('POST', 'company/api_keys', { printnode: secret.printnode }, token)).status).toBe(200)
  expect((await ask('POST', 'cms/webhooks/shopify/main', { secret: secret.hook }, token)).status).toBe(200)
  expect((await ask('POST', 'order_product_require_password/pin', { pin: secret.pin }, token)).status).toBeLessThan(300)
  // Mistakes are where secrets slip out: each of them in the wrong place, and each refused.
  await ask('POST', 'company/api_keys/test', { printnode: secret.printnode }, token)
  await ask('POST', 'session', { login: 'boss', password: { text: secret.password } })
  await ask('POST', 'company/api_keys', { printnode: [secret.printnode] }, token)
  await ask('POST', 'order_product_require_password/pin', { pin: `${secret.pin}x` }, token)
  await ask('POST', 'user/my_password', { current: secret.wrong, password: secret.password }, token)
  await ask('POST', 'cms/orders', { orders: [] }, key)
  await ask('GET', `session?token=${token}`, undefined, `${token}x`)
  await ask('GET', `cms/orders/x`, undefined, key)
  const answers: string[] = []
  for (const call of allCalls.filter(one => one.method === 'GET' && namesIn(one).length === 0 && one.line !== 'GET live')) {
    const heard = await ask('GET', call.path, undefined, call.access === 'shop' ? key : token)
    answers.push(JSON.stringify(heard.body))
  }
  const metrics = await ask('GET', '/metrics', undefined, secret.metrics)
  expect(metrics.status).toBe(200)
  answers.push(JSON.stringify(metrics.body))
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/conf.json']) answers.push(JSON.stringify((await ask('GET', path)).body))
  const ended = await ask('DELETE', 'session', undefined, token)
  expect(ended.status).toBe(204)
  expect((await ask('GET', 'session', undefined, token)).status).toBe(401)

  // What somebody tried is in the log, and whose account it was.
  expect(child.written()).toMatch(/"refused":"login_rejected"/)
  expect(child.written()).toMatch(/"users":\[\d+\],"ip":"127\.0\.0\.1","way":"password","msg":"sign-in refused"/)

  const all = { ...secret, token, key }
  const places: Record<string, string> = {
    log: child.written(),
    answers: answers.join('\n'),
    database: Object.values(await dumpOf(root, operator.operator_id)).join('\n'),
  }
  const { rows } = await root.query<{ text: string }>('select j::text text from graphile_worker._private_jobs j')
  places.queue = rows.map(row => row.text).join('\n')
  expect(places.log).toContain('answered')
  for (const [place, text] of Object.entries(places))
    for (const [name, value] of Object.entries(all))
      for (const form of [value, Buffer.from(value).toString('base64').slice(0, -3), Buffer.from(value).toString('hex')])
        expect(text.includes(form), `${name} in the ${place}`).toBe(false)
  expect(places.log).not.toMatch(/\$argon2|select .* from|BEGIN/i)

  // The key that opens the sealed ones lies apart from them, for one user alone.
  const file = join(data_dir, 'secret.key')
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(places.database).not.toContain(readFileSync(file, 'utf8').trim())
  expect(readdirSync(data_dir)).toContain('secret.key')
})
