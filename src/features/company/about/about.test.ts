/** The about page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestOperator } from '#test/test-app.ts'
import { about } from './about.contract.ts'

let testApp: TestApp
let operator: TestOperator
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
})
afterAll(() => testApp.close())

describe('about', () => {
  it('shows versions, database, migrations and queue', async () => {
    const status = await (await operator.hire(['settings'])).send(about.get, {})
    expect(status).toMatchObject({ version: testApp.services.config.version, node: process.versions.node, files: 'disk' })
    expect(status.database.bytes).toBeGreaterThan(1_000_000)
    expect(status.migrations[0]?.name).toBe('0001_the_house_stands.sql')
    expect(status.queue.failed).toBe(0)
  })

  it('names the licence of every runtime library that is installed', async () => {
    const libraries = await (await operator.hire(['settings'])).send(about.libraries, {})
    const named = new Map(libraries.map(one => [one.name, one.licence]))
    expect(named.get('fastify')).toBe('MIT')
    expect(named.get('zod')).toBe('MIT')
    // An indirect dependency.
    expect(named.get('fast-uri') ?? named.get('avvio')).toBeTruthy()
    expect(libraries.length).toBeGreaterThan(60)
  })

  it('is not available to packers', async () => {
    expect((await (await operator.hire(['scan'])).ask(about.get, {})).statusCode).toBe(403)
  })
})
