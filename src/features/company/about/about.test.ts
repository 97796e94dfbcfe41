/** An installation tells what it is. */
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
  it('tells versions, database, migrations and queue', async () => {
    const told = await (await operator.hire(['settings'])).send(about.get, {})
    expect(told).toMatchObject({ version: testApp.services.config.version, node: process.versions.node, files: 'disk' })
    expect(told.database.bytes).toBeGreaterThan(1_000_000)
    expect(told.migrations[0]?.name).toBe('0001_the_house_stands.sql')
    expect(told.queue.failed).toBe(0)
  })

  it('names the licence of every library that is installed for running it', async () => {
    const libraries = await (await operator.hire(['settings'])).send(about.libraries, {})
    const named = new Map(libraries.map(one => [one.name, one.licence]))
    expect(named.get('fastify')).toBe('MIT')
    expect(named.get('zod')).toBe('MIT')
    // Brought along by another.
    expect(named.get('fast-uri') ?? named.get('avvio')).toBeTruthy()
    expect(libraries.length).toBeGreaterThan(60)
  })

  it('is not for packers', async () => {
    expect((await (await operator.hire(['scan'])).ask(about.get, {})).statusCode).toBe(403)
  })
})
