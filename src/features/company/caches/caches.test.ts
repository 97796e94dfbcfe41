/** What the server remembers is shown, and emptied in every process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { company } from '#features/company/companies/companies.contract.ts'
import { cacheFigures, createCache, emptyByNotice, emptyingId, sumCacheFigures } from '#platform/caches/caches.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { caches } from './caches.contract.ts'

let testApp: TestApp
let operator: TestOperator
let admin: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1 })
  admin = await operator.hire(['settings_admin'])
})
afterAll(() => testApp.close())

const entriesOf = async (name: string, by = admin) => (await by.send(caches.list, {})).find(row => row.name === name)?.entries

describe('a cache', () => {
  const kept = createCache<string, { operator_id: number; text: string }>('video_space', {
    most: 2,
    operatorOf: ({ operator_id }) => operator_id,
    bytesOf: ({ text }) => text.length,
  })
  const figures = (operator_id: number) => cacheFigures(operator_id).find(({ name }) => name === 'video_space')

  it('counts entries, bytes and hits of each operator', () => {
    // Other caches of this process have the same name, and hits and misses of their own.
    const before = figures(-1)
    kept.set('a', { operator_id: -1, text: '1234' })
    kept.set('b', { operator_id: -2, text: '12' })
    kept.get('a')
    kept.get('c')
    expect(figures(-1)).toMatchObject({
      entries: 1,
      bytes: 4,
      hits: (before?.hits ?? 0) + 1,
      misses: (before?.misses ?? 0) + 1,
      oldest: expect.any(Number),
      shared: false,
    })
    expect(figures(-2)).toMatchObject({ entries: 1, bytes: 2 })
  })

  it('forgets all when it is full', () => {
    kept.set('c', { operator_id: -1, text: '1' })
    expect([kept.peek('a'), kept.peek('c')?.text]).toEqual([undefined, '1'])
  })

  it('is emptied of one operator by a notice', () => {
    kept.set('b', { operator_id: -2, text: '12' })
    emptyByNotice(emptyingId('video_space', false), -1)
    expect([kept.peek('c'), kept.peek('b')?.text]).toEqual([undefined, '12'])
    emptyByNotice(emptyingId(undefined, false), -2)
    expect(kept.peek('b')).toBeUndefined()
  })

  it('keeps what no operator owns, unless there is only one', () => {
    const shared = createCache<string, string>('holidays', { most: 9 })
    shared.set('DK', 'x')
    emptyByNotice(emptyingId('holidays', false), -1)
    expect(shared.peek('DK')).toBe('x')
    emptyByNotice(emptyingId('holidays', true), -1)
    expect(shared.peek('DK')).toBeUndefined()
  })

  it('has the sum of all processes', () => {
    const [one, other] = [cacheFigures(-1), cacheFigures(-1)].map(some => some.map(row => ({ ...row, entries: 3, hits: 1, oldest: 7 })))
    expect(sumCacheFigures([one ?? [], other ?? []])[0]).toMatchObject({ entries: 6, hits: 2, oldest: 7 })
  })
})

describe('the page', () => {
  it('shows every cache', async () => {
    const rows = await admin.send(caches.list, {})
    expect(rows.length).toBe(9)
    expect(rows.find(row => row.name === 'people')).toMatchObject({ lifetime_s: 3, can_empty: true })
    expect(await entriesOf('people')).toBeGreaterThan(0)
  })

  it('empties one, notes it, and the server asks anew', async () => {
    const { entries } = await admin.send(caches.empty, { body: { name: 'people' } })
    expect(entries).toBeGreaterThan(0)
    const event = await testApp.services.database.systemRead('a test looks', db =>
      db.selectFrom('events').select('data').where('kind', '=', 'cache.emptied').orderBy('id', 'desc').executeTakeFirstOrThrow(),
    )
    expect(event.data).toEqual({ name: 'people', entries })
    expect((await admin.send(company.config, {})).id).toBe(operator.main.id)
  })

  it('empties all', async () => {
    await admin.send(caches.empty, { body: { name: null } })
    expect(await entriesOf('list_totals')).toBe(0)
  })

  it('is emptied by the main company’s settings admins only, at most six times a minute', async () => {
    const reader = await operator.hire(['settings'])
    const shop = await operator.hire(['admin'], operator.shops[0])
    expect((await reader.send(caches.list, {})).length).toBe(9)
    for (const one of [reader, shop]) expect((await one.ask(caches.empty, { body: { name: null } })).statusCode).toBe(403)
    const codes: number[] = []
    for (let n = 0; n < 7; n++) codes.push((await admin.ask(caches.empty, { body: { name: 'maps' } })).statusCode)
    expect(codes).toContain(429)
  })
})
