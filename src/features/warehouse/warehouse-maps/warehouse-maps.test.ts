/** Who draws the floor, what is refused, how it is measured, and what follows from one measurement being walked by. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildMap, buildOrder, buildProduct, scopeOfCompany } from '#app/demo/builders.ts'
import { demoFloor } from '#app/demo/floor.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { mapResults, mapResultsOwn } from '#features/warehouse/map-results/map-results.contract.ts'
import { failForgottenResults } from '#features/warehouse/map-results/measure-map.task.ts'
import { activeMap, resultMap } from '#features/warehouse/map-results/measured-maps.queries.ts'
import { insertResult } from '#features/warehouse/map-results/results.commands.ts'
import { slotting, slottingOwn } from '#features/warehouse/slotting/slotting.contract.ts'
import { wagonRoutes, wagonRoutesOwn } from '#features/warehouse/wagon-routes/wagon-routes.contract.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import type { Drawing, Location } from './drawing.schemas.ts'
import { warehouseMaps, warehouseMapsOwn } from './warehouse-maps.contract.ts'

let testApp: TestApp
let operator: TestOperator
let lead: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
  await testApp.startWorkers()
  operator = await testApp.operator({ shops: 1 })
  lead = await operator.hire(['pick_admin'], operator.main, 'Jonas')
})
afterAll(() => testApp.close())

const at = (code: string, x: number, y: number, side: Location['side']): Location => ({ code, x, y, side, level: 0 })

/** Two aisles of two bays, joined in front; the start and a station below. */
const floor = (over: Partial<Drawing> = {}): Drawing => ({
  width: 7,
  height: 5,
  cell_mm: 1_000,
  cells: ['#.##.#x', '#.##.#x', '.......', '.......', '.......'],
  locations: [
    at('A-01', 0, 1, 'e'),
    at('A-02', 0, 0, 'e'),
    at('A-03', 2, 0, 'w'),
    at('B-01', 3, 1, 'e'),
    at('B-02', 3, 0, 'e'),
    at('B-03', 5, 0, 'w'),
  ],
  starts: [{ name: 'Start', x: 0, y: 3 }],
  stations: [{ name: 'Bench', x: 6, y: 3 }],
  zones: [],
  stairs: [],
  ...over,
})

let maps = 0
const draw = (drawing = floor(), who = lead) => who.send(warehouseMaps.create, { body: { title: `Hall ${++maps}`, drawing } })

async function measured(who: TestUser, map_id: number): Promise<number> {
  const { result_id } = await who.send(mapResults.calc, { id: map_id, body: { title: 'First' } })
  await vi.waitFor(async () => expect((await who.send(mapResults.get, { id: result_id })).state).not.toBe('computing'), {
    timeout: 60_000,
    interval: 100,
  })
  return result_id
}

const scope = (of = operator) => scopeOfCompany(of)
const within = <T>(work: Parameters<TestApp['services']['database']['transaction']>[1], of = operator) =>
  testApp.services.database.transaction(scope(of), work) as Promise<T>

/** A list of one wagon that fetches these bins for one order of a shop, in this order. */
async function buildList(
  of: TestOperator,
  bins: string[],
  { map_result_id = null, state = 'open' as const }: { map_result_id?: number | null; state?: 'open' | 'completed' } = {},
) {
  const shop = { ...scopeOfCompany(of, of.shops[0] ?? of.main) }
  const order = await buildOrder(testApp.services, shop)
  return within<number>(async db => {
    const { id } = await db
      .insertInto('pick_lists')
      .values({
        type: 'cluster',
        state,
        wagon_type: '{}',
        map_result_id,
        order_count: 1,
        line_count: bins.length,
        piece_count: bins.length,
        stop_count: bins.length,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('pick_wagons').values({ pick_list_id: id, wagon_no: 1 }).execute()
    await db
      .insertInto('pick_lines')
      .values(
        bins.map((bin, i) => ({
          company_id: shop.company_id,
          pick_list_id: id,
          wagon_no: 1,
          slot_no: 1,
          order_id: order.id,
          order_line_id: order.line_ids[0] as number,
          name: 'Secret thing of Lene Prøve',
          bin,
          walk_no: i + 1,
          asked: 2,
        })),
      )
      .execute()
    return id
  }, of)
}

describe('a drawing', () => {
  it('is kept, found by its title and read back as it was drawn', async () => {
    const map = await draw()
    expect(map).toMatchObject({
      version: 1,
      width: 7,
      height: 5,
      location_count: 6,
      result_count: 0,
      active_result_id: null,
      created_by: 'Jonas',
    })
    expect(await lead.send(warehouseMaps.get, { id: map.map_id })).toEqual(map)
    expect(map.drawing).toEqual(floor())
    const { rows, total } = await lead.send(warehouseMaps.search, { query: map.title.toUpperCase() })
    expect(total).toBeGreaterThanOrEqual(1)
    expect(rows.map(one => one.map_id)).toContain(map.map_id)
  })

  it('is changed only by who saw it as it is, and everybody else is shown what it is now', async () => {
    const map = await draw()
    const changed = await lead.send(warehouseMaps.update, {
      id: map.map_id,
      body: { version: 1, title: `${map.title} b`, drawing: floor() },
    })
    expect(changed).toMatchObject({ version: 2, title: `${map.title} b`, hash: map.hash })
    await expect(
      lead.send(warehouseMaps.update, { id: map.map_id, body: { version: 1, title: 'Mine', drawing: floor() } }),
    ).rejects.toMatchObject({
      status: 409,
      message: 'Someone else changed this map',
      current: { version: 2, title: `${map.title} b` },
    })
  })

  it('has a title of its own', async () => {
    const map = await draw()
    await expect(lead.send(warehouseMaps.create, { body: { title: map.title.toLowerCase(), drawing: floor() } })).rejects.toMatchObject({
      status: 409,
      fields: { title: 'There is a map with this title already' },
    })
  })

  it.each<[string, Partial<Drawing>, string]>([
    ['whose grid is short of a row', { cells: ['#.##.#x'] }, 'The grid is not as large as it says'],
    [
      'with an unknown sign',
      { cells: ['#.##.#?', '#.##.#x', '.......', '.......', '.......'] },
      'The grid holds a sign that means nothing',
    ],
  ])('%s is refused', async (_, over, sentence) => {
    const response = await lead.ask(warehouseMaps.create, { body: { title: 'Broken', drawing: floor(over) } })
    expect(response.statusCode).toBe(400)
    expect(JSON.stringify(response.json())).toContain(sentence)
  })

  it('walks the same under another name, at another level and in another order of locations, and otherwise not', async () => {
    const hash = async (over: Partial<Drawing>) => (await lead.send(warehouseMapsOwn.check, { body: { drawing: floor(over) } })).hash
    const same = await hash({})
    expect(
      await hash({
        locations: floor()
          .locations.toReversed()
          .map(one => ({ ...one, level: 3 })),
      }),
    ).toBe(same)
    expect(await hash({ starts: [{ name: 'Wagons', x: 0, y: 3 }] })).toBe(same)
    for (const over of [
      { cell_mm: 1_200 },
      { starts: [{ name: 'Start', x: 1, y: 3 }] },
      { cells: ['#^##.#x', '#^##.#x', '.......', '.......', '.......'] },
      { zones: [{ name: 'Slow', x: 0, y: 2, width: 7, height: 1, cost: 2 }] },
      { locations: floor().locations.map(one => (one.code === 'A-01' ? { ...one, side: 's' as const } : one)) },
    ])
      expect(await hash(over)).not.toBe(same)
  })
})

describe('who may', () => {
  it.each(['admin', 'settings_admin', 'pick_admin'] as const)('draw: %s', async right => {
    const worker = await operator.hire([right])
    await expect(draw(floor(), worker)).resolves.toBeDefined()
  })

  it.each(['list', 'pick'] as const)('only look: people with %s, who walk by maps', async right => {
    const worker = await operator.hire([right])
    const map = await draw()
    for (const [call, input] of [
      [mapResults.calc, { id: map.map_id, body: {} }],
      [mapResults.setActive, { id: 1 }],
      [mapResults.remove, { id: 1 }],
      [mapResults.removeMap, { id: map.map_id }],
    ] as const)
      expect((await worker.ask(call, input)).statusCode, call.line).toBe(403)
    await expect(worker.send(warehouseMaps.get, { id: map.map_id })).resolves.toBeDefined()
    await expect(draw(floor(), worker)).rejects.toMatchObject({ status: 403 })
  })

  it('neither: a shop of the warehouse, whatever its rights', async () => {
    const shop = await operator.hire(['admin'], operator.shops[0])
    for (const asked of [
      () => shop.send(warehouseMaps.search, {}),
      () => draw(floor(), shop),
      () => shop.send(slottingOwn.advice, {}),
      () => shop.send(mapResults.active, {}),
    ])
      await expect(asked()).rejects.toMatchObject({ status: 403, message: 'Only the main company of an operator can do this' })
  })

  it('not even know of it: another operator', async () => {
    const stranger = await (await testApp.operator()).hire(['admin'])
    const map = await draw()
    const result_id = await measured(lead, map.map_id)
    await expect(stranger.send(warehouseMaps.get, { id: map.map_id })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.send(mapResults.calc, { id: map.map_id, body: { title: 'x' } })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.send(mapResults.get, { id: result_id })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.send(mapResults.setActive, { id: result_id })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.send(mapResults.remove, { id: result_id })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.send(mapResultsOwn.simulate, { body: { result_id, bins: ['A-01'] } })).rejects.toMatchObject({ status: 404 })
    expect((await stranger.send(warehouseMaps.search, {})).total).toBe(0)
  })
})

describe('checking a drawing', () => {
  const kinds = async (over: Partial<Drawing>, who = lead) => {
    const check = await who.send(warehouseMapsOwn.check, { body: { drawing: floor(over) } })
    return { check, found: Object.fromEntries(check.findings.map(one => [one.kind, one.items.map(item => item.text)])) }
  }

  it('finds nothing in a good one', async () => {
    const { check, found } = await kinds({})
    expect(check).toMatchObject({ can_be_measured: true, location_count: 6, cells: 6 })
    expect(Object.keys(found).filter(kind => !kind.startsWith('product') && kind !== 'empty')).toEqual([])
  })

  it('names locations that no way leads to, that no one can stand before, and that none leads away from', async () => {
    const walled = { cells: ['#.##.#x', '#.##.#x', '..x....', '..x....', '..x....'] }
    expect((await kinds(walled)).found.unreachable).toEqual(['B-01', 'B-02', 'B-03', 'Bench'])
    const blocked = { cells: ['###.###', '#.##.#x', '.......', '.......', '.......'] }
    expect((await kinds(blocked)).found.no_access).toEqual(['A-02', 'A-03', 'B-02', 'B-03'])
    const trap = { cells: ['#^##.#x', '#^##.#x', '.......', '.......', '.......'] }
    const { found, check } = await kinds(trap)
    expect(found.no_way_back).toEqual(['A-01', 'A-02', 'A-03'])
    expect(check.can_be_measured).toBe(true)
  })

  it('sees that stairs lead where the floor does not', async () => {
    const walled = { cells: ['#.##.#x', '#.##.#x', '..x....', '..x....', '..x....'] }
    const stair = { name: 'Stairs', from: { x: 1, y: 2 }, to: { x: 3, y: 2 }, metres: 9, one_way: false }
    expect((await kinds({ ...walled, stairs: [stair] })).found.unreachable).toBeUndefined()
    const back = await kinds({ ...walled, stairs: [{ ...stair, from: stair.to, to: stair.from, one_way: true }] })
    expect(back.found.unreachable).toEqual(['B-01', 'B-02', 'B-03', 'Bench'])
  })

  it.each<[string, Partial<Drawing>, string]>([
    ['has no start', { starts: [] }, 'This map has no start. Draw where wagons start.'],
    ['has no locations', { locations: [] }, 'This map has no locations'],
    [
      'has a location twice',
      { locations: [at('A-01', 0, 1, 'e'), at('a-01', 2, 1, 'w')] },
      'The location A-01 is on this map more than once',
    ],
    ['has a location beside the grid', { locations: [at('Z-9', 9, 9, 'e')] }, 'Z-9 lies outside of the grid'],
    ['starts in a rack', { starts: [{ name: 'Start', x: 0, y: 0 }] }, 'No one can stand at Start: its cell is no floor'],
    [
      'has stairs into a wall',
      { stairs: [{ name: 'Lift', from: { x: 1, y: 2 }, to: { x: 6, y: 0 }, metres: 3, one_way: false }] },
      'The stairs Lift lead to a cell that is no floor',
    ],
  ])('a map that %s cannot be measured, and the sentence says so', async (_, over, sentence) => {
    const { check } = await kinds(over)
    expect(check.can_be_measured).toBe(false)
    const map = await draw(floor(over))
    await expect(lead.send(mapResults.calc, { id: map.map_id, body: { title: 'x' } })).rejects.toMatchObject({
      status: 422,
      message: sentence,
    })
  })

  it('names the products of all companies that lie nowhere on it, and the bins in which nothing lies', async () => {
    const own = await testApp.operator({ shops: 2 })
    const boss = await own.hire(['pick_admin'])
    const [first, second] = own.shops.map(shop => ({ ...scopeOfCompany(own, shop) }))
    await buildProduct(testApp.services, first!, { sku: 'ON', bin: 'a - 01' })
    await buildProduct(testApp.services, second!, { sku: 'OFF', bin: 'Q-7' })
    await buildProduct(testApp.services, second!, { sku: 'NONE' })
    const { found, check } = await kinds({}, boss)
    expect(check.products).toBe(3)
    expect(check.findings.find(one => one.kind === 'product_off_map')).toMatchObject({
      severity: 'warning',
      count: 1,
      items: [{ text: 'Q-7', sku: 'OFF', company: own.shops[1]!.name }],
    })
    expect(check.findings.find(one => one.kind === 'product_no_bin')?.items).toMatchObject([{ sku: 'NONE' }])
    expect(found.empty).toEqual(['A-02', 'A-03', 'B-01', 'B-02', 'B-03'])
  })
})

describe('files', () => {
  const read = (text: string, onto: Drawing | null = null) => lead.send(warehouseMapsOwn.import, { body: { format: 'csv', text, onto } })

  it('of locations come out as they went in', async () => {
    const map = await draw()
    const { bytes } = await lead.send(warehouseMapsOwn.exportCsv, { id: map.map_id })
    const text = Buffer.from(bytes as Uint8Array).toString()
    expect(text).toContain('location,x,y,side,level\r\nA-01,0,1,e,0\r\n')
    expect((await read(text)).drawing.locations).toEqual(map.drawing.locations)
  })

  it('of whole maps come out as they went in, and are refused in a sentence when they are something else', async () => {
    const map = await draw()
    const { bytes } = await lead.send(warehouseMapsOwn.exportJson, { id: map.map_id })
    const text = Buffer.from(bytes as Uint8Array).toString()
    expect(await lead.send(warehouseMapsOwn.import, { body: { format: 'json', text } })).toMatchObject({
      title: map.title,
      drawing: map.drawing,
    })
    const wrong = (text: string) => lead.send(warehouseMapsOwn.import, { body: { format: 'json', text } })
    await expect(wrong('{')).rejects.toMatchObject({ status: 422, message: 'This file is not valid JSON' })
    await expect(wrong('[1]')).rejects.toMatchObject({ status: 422 })
    await expect(wrong(JSON.stringify(floor({ cells: [] })))).rejects.toMatchObject({
      status: 422,
      message: 'The map in this file is not understood at cells: The grid is not as large as it says',
    })
  })

  it('name every row that is not understood, and take the others', async () => {
    const { drawing, problems, problem_count, added } = await read(
      [
        'Side;Y;X;Location',
        'east;1;0;A-01',
        'e;1;x;A-02',
        'e;1;400;A-03',
        'up;1;3;A-04',
        'e;1;3;',
        'w;1;3;a-01',
        `e;1;3;${'L'.repeat(41)}`,
        "N;3;2;'=A-05",
      ].join('\n'),
    )
    expect(drawing.locations).toEqual([at('A-01', 0, 1, 'e'), at('=A-05', 2, 3, 'n')])
    expect({ added, problem_count }).toEqual({ added: 2, problem_count: 6 })
    expect(problems.map(one => one.row)).toEqual([3, 4, 5, 6, 7, 8])
    expect(problems.slice(0, 5)).toMatchObject([
      { text: '{{column}} must be a whole number from 0 to {{most}}, not “{{value}}”', values: { column: 'x', most: '399', value: 'x' } },
      { values: { value: '400' } },
      { text: 'side must be n, e, s or w, not “{{value}}”', values: { value: 'up' } },
      { text: 'The location has no code' },
      { text: 'The location {{location}} stands in row {{other}} already', values: { location: 'a-01', other: '2' } },
    ])
  })

  it('without the columns are refused', async () => {
    await expect(read('bin;row\nA-01;2')).rejects.toMatchObject({
      status: 422,
      message: 'The first row must name the columns location, x, y and side; level is optional',
    })
    await expect(read('')).rejects.toMatchObject({ status: 422, message: 'The file is empty' })
  })

  it('add to a drawing, replace what has the same code, and let the grid grow under them', async () => {
    const { drawing, added, replaced } = await read('location,x,y,side,level\nA-01,2,1,w,2\nC-01,9,6,w,0', floor())
    expect({ added, replaced }).toEqual({ added: 1, replaced: 1 })
    expect(drawing.locations.find(one => one.code === 'A-01')).toEqual({ ...at('A-01', 2, 1, 'w'), level: 2 })
    expect(drawing).toMatchObject({ width: 11, height: 8, starts: floor().starts })
    expect(drawing.cells[0]).toBe('#.##.#x....')
    expect(drawing.cells[6]).toBe('.........#.')
    await expect(lead.send(warehouseMaps.create, { body: { title: `Grown ${++maps}`, drawing } })).resolves.toBeDefined()
  })
})

describe('measuring', () => {
  it('runs as a job with progress and leaves a result that is ready, with the map as it was', async () => {
    const map = await draw(demoFloor())
    const { result_id, job_id } = await lead.send(mapResults.calc, { id: map.map_id, body: { title: 'Spring' } })
    await vi.waitFor(async () => expect((await lead.send(jobs.get, { id: job_id })).state).toBe('done'), { timeout: 60_000, interval: 100 })
    const result = await lead.send(mapResults.get, { id: result_id })
    expect(result).toMatchObject({
      state: 'ready',
      title: 'Spring',
      map_hash: map.hash,
      outdated: false,
      cells: 83,
      error: null,
      job_done: 83,
      job_total: 83,
    })
    expect(result.drawing).toEqual(map.drawing)
    const measured = await within<Awaited<ReturnType<typeof resultMap>>>(db => resultMap(db, testApp.services, result_id))
    expect(measured?.hash).toBe(map.hash)
    const { start, end, distances, cellOfBin } = measured!
    expect(distances.cells[start]).toEqual({ x: 2, y: 24 })
    expect(distances.cells[end]).toEqual({ x: 9, y: 25 })
    expect(cellOfBin('A-01-1')).toBe(cellOfBin('a-01 - 1'))
    expect(cellOfBin('Z-01-1')).toBeNull()
    expect(distances.between(start, cellOfBin('A-01-1')!)).toBe(40)

    await lead.send(warehouseMaps.update, { id: map.map_id, body: { version: 1, title: map.title, drawing: floor() } })
    expect(await lead.send(mapResults.get, { id: result_id })).toMatchObject({ outdated: true, drawing: map.drawing })
  })

  it('compares itself on last week’s orders with bin order and with what is active', async () => {
    const own = await testApp.operator({ shops: 1 })
    const boss = await own.hire(['pick_admin'])
    const shop = scopeOfCompany(own, own.shops[0]!)
    for (const [sku, bin] of [
      ['TS-1', 'A-01-1'],
      ['CAP-1', 'H-20-1'],
    ])
      await buildProduct(testApp.services, shop, { sku: sku!, bin: bin! })
    for (let i = 0; i < 12; i++) await buildOrder(testApp.services, shop)
    const first = await measured(boss, (await draw(demoFloor(), boss)).map_id)
    const { quality } = await boss.send(mapResults.get, { id: first })
    expect(quality).toMatchObject({ from: 'orders', walks: 2, stops: 4, active_metres: null, off_map: 0 })
    expect(quality!.metres).toBeGreaterThan(100)
    await boss.send(mapResults.setActive, { id: first })
    await buildList(own, ['H-20-1', 'A-01-1', 'Q-1'])
    const second = await measured(boss, (await draw(demoFloor(), boss)).map_id)
    const again = (await boss.send(mapResults.get, { id: second })).quality
    expect(again).toMatchObject({ from: 'lists', walks: 1, stops: 2, off_map: 1 })
    expect(again!.active_metres).toBe(again!.metres)
  })

  it('can be stopped, and the result is left as failed', async () => {
    const side = 400
    const large: Drawing = {
      ...floor(),
      width: side,
      height: side,
      cells: Array.from({ length: side }, () => '.'.repeat(side)),
      locations: Array.from({ length: 4_000 }, (_, i) => at(`L${i}`, (i * 7) % side, (Math.floor(i / 57) * 5) % (side - 1), 's')),
      starts: [{ name: 'Start', x: 0, y: 0 }],
      stations: [],
    }
    const map = await draw(large)
    const { result_id, job_id } = await lead.send(mapResults.calc, { id: map.map_id, body: { title: 'Long' } })
    await expect(lead.send(mapResults.calc, { id: map.map_id, body: { title: 'Twice' } })).rejects.toMatchObject({
      status: 409,
      message: 'This map is being measured already',
    })
    await expect(lead.send(mapResults.setActive, { id: result_id })).rejects.toMatchObject({
      message: 'This result is still being computed',
    })
    await expect(lead.send(mapResults.remove, { id: result_id })).rejects.toMatchObject({
      message: 'This result is being computed. Stop that first.',
    })
    await expect(lead.send(mapResults.removeMap, { id: map.map_id })).rejects.toMatchObject({
      message: 'This map is being measured. Stop that first.',
    })
    await vi.waitFor(async () => expect((await lead.send(jobs.get, { id: job_id })).done).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 50,
    })
    await lead.send(mapResultsOwn.cancelCalc, { id: result_id })
    await vi.waitFor(async () => expect((await lead.send(mapResults.get, { id: result_id })).state).toBe('failed'), {
      timeout: 60_000,
      interval: 50,
    })
    expect(await lead.send(mapResults.get, { id: result_id })).toMatchObject({ error: 'It was stopped', cells: null })
    expect((await lead.send(jobs.get, { id: job_id })).state).toBe('cancelled')
    await expect(lead.send(mapResults.setActive, { id: result_id })).rejects.toMatchObject({
      status: 409,
      message: 'This result was never computed to its end',
    })
    await expect(lead.send(mapResultsOwn.cancelCalc, { id: result_id })).rejects.toMatchObject({ status: 409 })
    await lead.send(mapResults.removeMap, { id: map.map_id })
    await expect(lead.send(mapResults.get, { id: result_id })).rejects.toMatchObject({ status: 404 })
  })

  it('does not compute for ever when its server died: the result fails once its job has ended or was silent for hours', async () => {
    const begun = async (job: { state: 'running' | 'failed'; hours: number; message?: string }) => {
      const { map_id } = await draw()
      const map = await lead.send(warehouseMaps.get, { id: map_id })
      return within<number>(async db => {
        const { id: job_id } = await db
          .insertInto('jobs')
          .values({
            kind: 'maps.measure',
            title: 'x',
            state: job.state,
            message: job.message ?? null,
            started_at: new Date(Date.now() - job.hours * 3_600_000).toISOString(),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        return insertResult(db, { map, title: 'x', job_id, created_by: 'x', at: new Date() })
      })
    }
    const living = await begun({ state: 'running', hours: 1 })
    const silent = await begun({ state: 'running', hours: 7 })
    const ended = await begun({ state: 'failed', hours: 1, message: 'The disk is full' })
    await failForgottenResults.run(testApp.services)
    const result = (id: number) => lead.send(mapResults.get, { id })
    expect(await result(living)).toMatchObject({ state: 'computing', error: null })
    expect(await result(silent)).toMatchObject({ state: 'failed', error: 'It was not computed to its end' })
    expect(await result(ended)).toMatchObject({ state: 'failed', error: 'The disk is full' })
  })
})

describe('the active map', () => {
  it('is one: the one before steps back, comes back when wanted, and lists keep theirs', async () => {
    const own = await testApp.operator({ shops: 1 })
    const boss = await own.hire(['pick_admin'])
    expect(await boss.send(mapResults.active, {})).toEqual({ active: null })
    const first = await measured(boss, (await draw(floor(), boss)).map_id)
    const second = await measured(boss, (await draw(demoFloor(), boss)).map_id)
    await boss.send(mapResults.setActive, { id: first })
    const list = await buildList(own, ['A-01', 'B-03'], { map_result_id: first })
    expect(await boss.send(mapResults.setActive, { id: second })).toMatchObject({ state: 'active' })
    expect(await boss.send(mapResults.get, { id: first })).toMatchObject({ state: 'superseded', living_lists: 1 })
    expect((await boss.send(mapResults.active, {})).active).toMatchObject({ result_id: second, cells: 83, outdated: false })
    expect((await within<Awaited<ReturnType<typeof activeMap>>>(db => activeMap(db, testApp.services), own))?.result_id).toBe(second)

    const { url } = await boss.send(wagonRoutes.link, { id: list, wagon: 1 })
    expect((await open(own, url)).floor.width).toBe(7)
    await boss.send(mapResults.setActive, { id: first })
    expect((await boss.send(mapResults.active, {})).active?.result_id).toBe(first)
  })

  it('is one also when two people choose at once', async () => {
    const own = await testApp.operator()
    const boss = await own.hire(['pick_admin'])
    const results = []
    for (let i = 0; i < 6; i++)
      results.push((await buildMap(testApp.services, scopeOfCompany(own), { title: `M${i}`, drawing: floor(), active: false })).result_id)
    for (let run = 0; run < 3; run++) {
      const answers = await Promise.all(results.map(id => boss.ask(mapResults.setActive, { id })))
      expect(answers.map(one => one.statusCode)).toEqual(results.map(() => 200))
      const { rows } = await boss.send(mapResults.search, {})
      expect(rows.filter(one => one.state === 'active')).toHaveLength(1)
      expect(rows.filter(one => one.state === 'superseded')).toHaveLength(5)
    }
  })

  it('is not deleted, nor what a living list is walked by; what only lists of the past used is', async () => {
    const own = await testApp.operator({ shops: 1 })
    const boss = await own.hire(['pick_admin'])
    const scope = scopeOfCompany(own)
    const old = await buildMap(testApp.services, scope, { title: 'Old', drawing: floor() })
    const now = await buildMap(testApp.services, scope, { title: 'New', drawing: floor() })
    await expect(boss.send(mapResults.remove, { id: now.result_id })).rejects.toMatchObject({
      status: 409,
      message: 'Routes are computed by this result. Set another one active first.',
    })
    await expect(boss.send(mapResults.removeMap, { id: now.map_id })).rejects.toMatchObject({
      status: 409,
      message: 'Routes are computed by this map. Set a result of another map active first.',
    })
    const list = await buildList(own, ['A-01'], { map_result_id: old.result_id })
    const living = { status: 409, message: `Pick list ${list} is still walked by it` }
    await expect(boss.send(mapResults.remove, { id: old.result_id })).rejects.toMatchObject(living)
    await expect(boss.send(mapResults.removeMap, { id: old.map_id })).rejects.toMatchObject(living)
    await within(db => db.updateTable('pick_lists').set({ state: 'completed' }).where('id', '=', list).execute(), own)
    await boss.send(mapResults.removeMap, { id: old.map_id })
    await expect(boss.send(warehouseMaps.get, { id: old.map_id })).rejects.toMatchObject({
      status: 404,
      message: 'Map not found',
    })
    await expect(boss.send(mapResults.get, { id: old.result_id })).rejects.toMatchObject({ status: 404 })
    await expect(boss.send(mapResults.removeMap, { id: old.map_id })).rejects.toMatchObject({ status: 404 })
  })
})

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams) as unknown as { list: number; wagon: number; key: string }
const open = (of: TestOperator, url: string) => testApp.visitor(of.main).send(wagonRoutesOwn.route, queryOf(url))

describe('the link to a drawn walk', () => {
  let own: TestOperator
  let picker: TestUser
  let list: number
  let url: string
  beforeAll(async () => {
    own = await testApp.operator({ shops: 1 })
    picker = await own.hire(['pick'])
    list = await buildList(own, ['A-01', 'A-02', 'A-03', 'B-03', 'Nowhere'])
    await expect(picker.send(wagonRoutes.link, { id: list, wagon: 1 })).rejects.toMatchObject({
      status: 409,
      message: 'No warehouse map is active',
    })
    await buildMap(testApp.services, scopeOfCompany(own), { title: 'Hall', drawing: floor() })
    url = (await picker.send(wagonRoutes.link, { id: list, wagon: 1 })).url
  })

  it('opens without a login and shows places and numbers in the order of the walk', async () => {
    expect(url).toContain(`/route?list=${list}&wagon=1&key=`)
    const route = await open(own, url)
    expect(route.stops).toEqual([
      { no: 1, x: 1, y: 1, bins: ['A-01'], lines: 1, pieces: 2 },
      { no: 2, x: 1, y: 0, bins: ['A-02', 'A-03'], lines: 2, pieces: 4 },
      { no: 3, x: 4, y: 0, bins: ['B-03'], lines: 1, pieces: 2 },
      { no: 4, x: null, y: null, bins: ['Nowhere'], lines: 1, pieces: 2 },
    ])
    expect(route.path[0]).toEqual({ x: 0, y: 3 })
    expect(route.path.at(-1)).toEqual({ x: 6, y: 3 })
    for (const [i, { x, y }] of route.path.entries()) {
      expect(route.floor.cells[y]?.[x]).toBe('.')
      const before = route.path[i - 1]
      if (before) expect(Math.abs(before.x - x) + Math.abs(before.y - y)).toBe(1)
    }
    expect(route.metres).toBe(route.path.length - 1)
  })

  it('reveals nothing of people, goods or companies', async () => {
    const { body } = await testApp.visitor(own.main).ask(wagonRoutesOwn.route, queryOf(url))
    expect(body).not.toMatch(/Lene|Secret|Prøve|company|order|user/i)
  })

  it('does not open another wagon, another list, at another company, nor with a changed key', async () => {
    const visitor = testApp.visitor(own.main)
    const { key } = queryOf(url)
    const refused = { status: 404, message: 'This link does not open a route, or not any more' }
    const [until, signature] = key.split('.') as [string, string]
    for (const asked of [
      { list, wagon: 2, key },
      { list: list + 1, wagon: 1, key },
      { list, wagon: 1, key: `${(Number.parseInt(until, 36) + 1_000).toString(36)}.${signature}` },
      { list, wagon: 1, key: `${until}.${signature.slice(0, -1)}` },
      { list, wagon: 1, key: 'x' },
      { list, wagon: 1, key: '.' },
    ])
      await expect(visitor.send(wagonRoutesOwn.route, asked)).rejects.toMatchObject(refused)
    for (const company of [operator.main, own.shops[0]!])
      await expect(testApp.visitor(company).send(wagonRoutesOwn.route, { list, wagon: 1, key })).rejects.toMatchObject(refused)
  })

  it('ends after seven days', async () => {
    const { url, expires_at } = await picker.send(wagonRoutes.link, { id: list, wagon: 1 })
    testApp.setNow(new Date(Date.parse(expires_at) - 60_000))
    await expect(open(own, url)).resolves.toMatchObject({ expires_at })
    testApp.setNow(new Date(Date.parse(expires_at) + 1_000))
    await expect(open(own, url)).rejects.toMatchObject({ status: 404 })
    testApp.setNow(undefined)
  })

  it('is made only for wagons that are there, and only by those who may see them', async () => {
    await expect(picker.send(wagonRoutes.link, { id: list, wagon: 7 })).rejects.toMatchObject({
      status: 404,
      message: 'This pick list has no such wagon',
    })
    const stranger = await (await testApp.operator()).hire(['admin'])
    await expect(stranger.send(wagonRoutes.link, { id: list, wagon: 1 })).rejects.toMatchObject({ status: 404 })
    const packer = await own.hire(['scan'])
    await expect(packer.send(wagonRoutes.link, { id: list, wagon: 1 })).rejects.toMatchObject({ status: 403 })
  })
})

describe('trying a result before it is active', () => {
  it('walks the shortest way through the bins, and says which it does not know', async () => {
    const { result_id } = await buildMap(testApp.services, scope(), { title: `T${++maps}`, drawing: floor(), active: false })
    const walk = await lead.send(mapResultsOwn.simulate, { body: { result_id, bins: ['B-03', 'a-01', 'A-02', 'X-1'] } })
    expect(walk.stops.map(one => one.bins).sort()).toEqual([['A-02'], ['B-03'], ['a-01']])
    expect(walk.stops[2]?.bins).toEqual(['B-03'])
    expect(walk).toMatchObject({ proven: true, off_map: ['X-1'], no_way: [], list: null })
    expect(walk.metres).toBe(walk.path.length - 1)
    expect(walk.metres).toBeLessThanOrEqual(walk.bin_order_metres)
  })

  it('takes the newest list where no bins are given', async () => {
    const own = await testApp.operator({ shops: 1 })
    const boss = await own.hire(['pick'])
    const { result_id } = await buildMap(testApp.services, scopeOfCompany(own), { title: 'T', drawing: floor(), active: false })
    await expect(boss.send(mapResultsOwn.simulate, { body: { result_id } })).rejects.toMatchObject({ status: 404 })
    const list = await buildList(own, ['B-01', 'A-01'])
    expect(await boss.send(mapResultsOwn.simulate, { body: { result_id } })).toMatchObject({
      list: { pick_list_id: list, wagon_no: 1 },
      stops: [{ bins: ['A-01'] }, { bins: ['B-01'] }],
    })
  })
})

describe('what is fetched', () => {
  let own: TestOperator
  let boss: TestUser
  beforeAll(async () => {
    own = await testApp.operator({ shops: 1 })
    boss = await own.hire(['pick_admin'])
    const shop = scopeOfCompany(own, own.shops[0]!)
    // T-shirts are in every order and lie as far away as can be; caps as well, but near.
    await buildProduct(testApp.services, shop, { sku: 'TS-1', name: 'T-shirt', bin: 'H-20-1' })
    await buildProduct(testApp.services, shop, { sku: 'CAP-1', name: 'Cap', bin: 'C-02-1' })
    await buildProduct(testApp.services, shop, { sku: 'SLOW', bin: 'C-01-1' })
    for (let i = 0; i < 25; i++) await buildOrder(testApp.services, shop)
  })

  it('shows its hot spots, without places while no map is active', async () => {
    const spots = await boss.send(slotting.hotSpots, { product_count: 1 })
    expect(spots).toMatchObject({ result_id: null, advice: { result_id: null, swaps: [] } })
    expect(spots.spots).toMatchObject([{ bin: 'H-20-1', x: null, picks: 25, pieces: 50, products: [{ sku: 'TS-1', picks: 25 }] }])
  })

  it('is advised to lie nearer, measured on the walks that were made', async () => {
    const { result_id } = await buildMap(testApp.services, scopeOfCompany(own), { title: 'Floor', drawing: demoFloor() })
    const spots = await boss.send(slotting.hotSpots, { advice: 'no' })
    expect(spots.spots.map(one => one.bin)).toEqual(['H-20-1', 'C-02-1'])
    expect(spots.spots[0]).toMatchObject({ x: 26, y: 1 })
    expect(spots.advice).toBeNull()
    const advice = await boss.send(slottingOwn.advice, { days: 7 })
    expect(advice).toMatchObject({ result_id, days: 1, walks: 3 })
    const [swap] = advice.swaps
    expect(swap).toMatchObject({ product: { sku: 'TS-1', company: own.shops[0]!.name }, from_bin: 'H-20-1' })
    expect(swap!.saved_metres_per_day).toBeGreaterThan(100)
    expect(advice.saved_metres_per_day).toBeLessThan(advice.metres_per_day)
    const sum = advice.swaps.reduce((all, one) => all + one.saved_metres_per_day, 0)
    expect(advice.saved_metres_per_day).toBeCloseTo(sum, 0)
  })

  it('counts from the day that is asked for', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    expect((await boss.send(slotting.hotSpots, { order_from: tomorrow, advice: 'no' })).spots).toEqual([])
    expect((await boss.ask(slotting.hotSpots, { order_from: 'monday' })).statusCode).toBe(400)
  })
})
