/** The figures of pickers and packers. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { statistics } from './statistics.contract.ts'
import { accuracy, daysBetween, perHour, periodBefore, segmentsOf, summed } from './statistics.rules.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
let picker: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ shops: 1, settings: { time_zone: 'Europe/Copenhagen' } })
  lead = await operator.hire(['statistics_admin'])
  picker = await operator.hire(['pick'], operator.main, 'Sofie')
  await inScope(async db => {
    await sql`insert into pick_lists (id, type, wagon_type, order_count, line_count, piece_count, stop_count) overriding system value
      values (901, 'cluster', '{}', 2, 3, 6, 3)`.execute(db)
    await sql`insert into pick_wagons (pick_list_id, wagon_no, state, user_id, user_name, walk_dm, picked_at)
      values (901, 1, 'picked', ${picker.user_id}, 'Sofie', 1234, '2026-11-10T09:30:00Z')`.execute(db)
  })
})
afterAll(() => testApp.close())

const inScope = <T>(
  work: Parameters<TestApp['services']['database']['transaction']>[1] extends (db: infer D) => unknown ? (db: D) => Promise<T> : never,
) => testApp.services.database.transaction(scopeOfCompany(operator), work)

interface Scan {
  at: string
  kind: string
  result?: string
  quantity?: number
  line?: number
  order?: number
  company?: number
}
const scanned = (scans: readonly Scan[]) =>
  inScope(async db => {
    for (const { at, kind, result = 'ok', quantity = 0, line, order, company = operator.main.id } of scans)
      await sql`insert into pick_scans (id, pick_list_id, wagon_no, pick_line_id, order_id, order_company_id, kind, result, quantity, user_id, user_name, at)
        values (${randomUUID()}, 901, 1, ${line ?? null}, ${order ?? null}, ${order === undefined ? null : company}, ${kind}, ${result}, ${quantity}, ${picker.user_id}, 'Sofie', ${at})`.execute(
        db,
      )
  })

describe('picking by person and day', () => {
  beforeAll(() =>
    scanned([
      { at: '2026-11-10T08:00:00Z', kind: 'claim' },
      { at: '2026-11-10T08:01:00Z', kind: 'bin', line: 1, order: 11 },
      { at: '2026-11-10T08:01:10Z', kind: 'pick', quantity: 2, line: 1, order: 11, result: 'line_done' },
      { at: '2026-11-10T08:02:00Z', kind: 'wrong', result: 'wrong_product', line: 2, order: 12 },
      // A break of twenty minutes.
      { at: '2026-11-10T08:22:00Z', kind: 'pick', quantity: 3, line: 2, order: 12, result: 'line_done' },
      { at: '2026-11-10T08:22:30Z', kind: 'short', result: 'short', line: 3, order: 12 },
      // One minute before local midnight; the next event is on the next local day.
      { at: '2026-11-10T22:59:00Z', kind: 'pick', quantity: 1, line: 4, order: 13, result: 'ok' },
      { at: '2026-11-10T23:01:00Z', kind: 'pick', quantity: 5, line: 5, order: 14, result: 'ok' },
    ]),
  )

  it('counts pieces, lines, orders, wrong scans, shorts and metres, on the days of the company’s time zone', async () => {
    const { rows } = await lead.send(statistics.picks, { start: '2026-11-10', end: '2026-11-11' })
    expect(rows).toEqual([
      expect.objectContaining({
        day: '2026-11-10',
        user_name: 'Sofie',
        pieces: 6,
        lines: 3,
        orders: 3,
        scans: 5,
        wrong: 1,
        shorts: 1,
        walk_dm: 1234,
        wagons: 1,
      }),
      expect.objectContaining({ day: '2026-11-11', pieces: 5 }),
    ])
  })

  it('counts a gap of five minutes as a break, and one of four hours as another shift', async () => {
    const { rows } = await lead.send(statistics.picks, { start: '2026-11-10', end: '2026-11-10' })
    expect(rows[0]).toMatchObject({ active_s: 60 + 10 + 50 + 30, break_s: 20 * 60 })
  })

  it('stores the answer under its number, for the company that asked', async () => {
    const asked = await lead.send(statistics.picks, { start: '2026-11-10', end: '2026-11-10' })
    expect(await lead.send(statistics.kept, { id: asked.id })).toEqual(asked)
    const shop = await operator.hire(['statistics'], operator.shops[0])
    await expect(shop.send(statistics.kept, { id: asked.id })).rejects.toMatchObject({ status: 404 })
    await inScope(db => sql`update statistics_results set created_at = now() - interval '8 days' where id = ${asked.id}`.execute(db))
    await lead.send(statistics.picks, { start: '2026-11-10', end: '2026-11-10' })
    await expect(lead.send(statistics.kept, { id: asked.id })).rejects.toMatchObject({ status: 404 })
  })

  it('shows a shop only what was picked for its own orders', async () => {
    const shop = operator.shops[0]!
    const clerk = await operator.hire(['statistics'], shop)
    expect((await clerk.send(statistics.picks, { start: '2026-11-10', end: '2026-11-10' })).rows).toEqual([])
    await scanned([{ at: '2026-11-12T08:00:00Z', kind: 'pick', quantity: 4, line: 9, order: 19, company: shop.id }])
    const { rows, wagons } = await clerk.send(statistics.picks, { start: '2026-11-12', end: '2026-11-12' })
    expect(rows).toEqual([expect.objectContaining({ pieces: 4, orders: 1, user_id: 0, user_name: '', active_s: 0, scans: 0, walk_dm: 0 })])
    expect(wagons).toMatchObject([{ user_name: '' }])
    const own = await operator.hire(['admin'], shop)
    expect((await own.send(statistics.picks, { start: '2026-11-12', end: '2026-11-12' })).rows).toEqual(rows)
    await expect(clerk.send(statistics.breaks, { pick_list: 901, wagon: 1 })).rejects.toMatchObject({ status: 404 })
  })

  it('shows names to leaders of statistics, and sums of everyone to others', async () => {
    const clerk = await operator.hire(['statistics'])
    const period = { start: '2026-11-10', end: '2026-11-10' }
    const named = await lead.send(statistics.picks, period)
    const { rows, wagons } = await clerk.send(statistics.picks, period)
    expect(rows).toEqual([expect.objectContaining({ day: '2026-11-10', user_id: 0, user_name: '', pieces: 6, wrong: 1 })])
    expect(wagons.every(wagon => wagon.user_name === '')).toBe(true)
    expect((await clerk.send(statistics.kept, { id: named.id })).rows).toEqual(rows)
    expect((await clerk.send(statistics.breaks, { pick_list: 901, wagon: 1 })).pickers).toEqual([])
  })

  it.each([
    ['2026-11-12', '2026-11-10', 'The period ends before it begins'],
    ['2024-01-01', '2026-11-10', 'A period has at most 400 days'],
  ])('refuses from %s to %s: %s', async (start, end, message) => {
    await expect(lead.send(statistics.picks, { start, end })).rejects.toMatchObject({ status: 400, message })
    await expect(lead.send(statistics.packs, { start, end })).rejects.toMatchObject({ status: 400, message })
  })

  it('is available only with the statistics permission', async () => {
    await expect(picker.send(statistics.picks, { start: '2026-11-10', end: '2026-11-10' })).rejects.toMatchObject({ status: 403 })
  })
})

describe('a wagon’s time', () => {
  it('is divided into walking, picking, breaks and pauses', async () => {
    const time = await lead.send(statistics.breaks, { pick_list: 901, wagon: 1 })
    expect(time.pickers).toEqual(['Sofie'])
    expect(time.totals.break).toBeGreaterThanOrEqual(20 * 60)
    await expect(lead.send(statistics.breaks, { pick_list: 901, wagon: 2 })).rejects.toMatchObject({ status: 404 })
  })

  it('adds up: the parts are as long as the whole', () => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 10, 8) + seconds * 1_000).toISOString()
    const { segments, totals } = segmentsOf(
      [
        { at: at(0), kind: 'claim', bin: null },
        { at: at(40), kind: 'product', bin: 'A-1' },
        { at: at(50), kind: 'pick', bin: 'A-1' },
        { at: at(90), kind: 'product', bin: 'A-2' },
        { at: at(100), kind: 'pause', bin: null },
        { at: at(1_000), kind: 'resume', bin: null },
        { at: at(1_010), kind: 'pick', bin: 'A-2' },
        { at: at(1_400), kind: 'pick', bin: 'A-2' },
      ],
      300,
    )
    expect(totals).toEqual({ walking: 80, picking: 10 + 10 + 10, paused: 900, break: 390 })
    expect(segments[0]).toMatchObject({ kind: 'walking', from: at(0), bin: 'A-1' })
    expect(segments.every((segment, i) => i === 0 || segment.from === segments[i - 1]?.to)).toBe(true)
  })
})

describe('packing by person and day', () => {
  it('counts nothing where nothing was packed, and is called like picking', async () => {
    expect(await lead.send(statistics.packs, { start: '2026-11-10', end: '2026-11-10' })).toMatchObject({ from: '2026-11-10', rows: [] })
  })
})

describe('figures', () => {
  it('are sums first and rates afterwards', () => {
    const sum = summed([
      { user_id: 1, pieces: 10, active_s: 3_600 },
      { user_id: 1, pieces: 50, active_s: 1_800 },
    ])
    expect(sum).toEqual({ user_id: 1, pieces: 60, active_s: 5_400 })
    expect(perHour(60, 5_400)).toBe(40)
    expect(perHour(3, 10)).toBe(null)
    expect(accuracy({ scans: 200, wrong: 3 })).toBeCloseTo(0.985)
    expect(accuracy({ scans: 0, wrong: 0 })).toBe(null)
  })

  it('are compared with the period of the same length just before', () => {
    expect(periodBefore('2026-11-09', '2026-11-15')).toEqual({ from: '2026-11-02', to: '2026-11-08' })
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  })
})
