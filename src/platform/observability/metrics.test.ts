/** Figures on `/metrics`, and the alert rules and the dashboard that use them. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { users } from '#features/company/users/users.contract.ts'
import { openTestApp, type TestApp } from '#test/test-app.ts'
import { createPrimaryMetrics } from './primary-metrics.ts'

const token = 'a token of sixteen'
let testApp: TestApp
beforeAll(async () => {
  testApp = await openTestApp({ METRICS_TOKEN: token })
  await testApp.startWorkers()
})
afterAll(() => testApp.close())

const read = async () => (await testApp.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).body
const documents = (name: string) => readFileSync(new URL(`../../../docs/monitoring/${name}`, import.meta.url), 'utf8')
/** The value of a figure without labels. */
const figureOf = (text: string, name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])

it.each(['alerts.yaml', 'dashboard.json'])('shows every figure that %s uses', async file => {
  const operator = await testApp.operator()
  await (await operator.hire(['admin'])).send(users.me, {})
  const text = await read()
  const expressions = [...documents(file).matchAll(/"?expr"?: "?(.+)/g)].map(([, expression = '']) => expression)
  const used = new Set(expressions.flatMap(expression => expression.match(/\b(?:pakhus|process|nodejs)_\w+/g) ?? []))
  // The other processes add those of the primary one.
  const ofPrimary = await createPrimaryMetrics(() => ({ requests: [], jobs: [] }))()
  const shown = new Set([...[...text.matchAll(/^(\w+)[ {]/gm)].map(([, name]) => name), ...ofPrimary.map(({ name }) => name)])
  expect(used.size).toBeGreaterThan(8)
  expect([...used].filter(name => !shown.has(name))).toEqual([])
})

it('counts what waits, and the age of the oldest', async () => {
  const before = await read()
  for (const name of ['prints', 'bookings', 'imports', 'outbox', 'tasks']) {
    expect(figureOf(before, `pakhus_${name}_waiting`), name).toBe(0)
    expect(figureOf(before, `pakhus_${name}_oldest_seconds`), name).toBe(0)
  }
  expect(figureOf(before, 'pakhus_pool_connections')).toBeGreaterThan(0)
  const { operator_id, main } = await testApp.operator()
  await testApp.services.database.systemTransaction('the test makes an import of ten minutes ago', db =>
    db
      .insertInto('jobs')
      .values({
        operator_id,
        company_id: main.id,
        kind: 'orders.import',
        title: 'Orders',
        created_at: new Date(Date.now() - 600_000).toISOString(),
      })
      .execute(),
  )
  const after = await read()
  expect(figureOf(after, 'pakhus_imports_waiting')).toBe(1)
  expect(figureOf(after, 'pakhus_imports_oldest_seconds')).toBeGreaterThanOrEqual(600)
})
