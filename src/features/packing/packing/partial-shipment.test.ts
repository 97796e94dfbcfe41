/** An order is closed without some of its pieces: what becomes of each line, and what the recipient reads. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { tracking } from '#features/shipping/tracking/tracking.contract.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'
import { restDays } from './rest-days.server.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender, color: '#335577' } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
})
afterAll(() => testApp.close())

const names = { MUG: 'Mug', HAT: 'Hat', SCARF: 'Scarf' }

/** Two of each, open at the station, of which one mug is packed. */
async function opened(packer = kim): Promise<{ id: number; lines: Record<string, number> }> {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: Object.entries(names).map(([sku, name]) => ({
      ...{ sku, barcode: sku, name, qty: 2, weight_g: 300, unit_price_excl_vat: '80.00', vat_percent: '25' },
    })),
  })
  const order = await packer.send(packing.start, { id, body: { station: `Bench ${packer.user_id}` } })
  await packer.send(packing.scan, { id, body: { scan_id: randomUUID(), code: 'MUG' } })
  return { id, lines: Object.fromEntries(order.lines.map(line => [line.sku, line.order_line_id])) }
}
const close = (who: TestUser, id: number, body: object) => who.send(packing.close, { id, body })
async function read(id: number) {
  const link = new URL(trackingUrl(testApp.services, { id: operator.main.id, code: operator.main.code }, { order_id: id, shipment_id: 0 }))
  const query = new URLSearchParams(link.search || link.hash.replace(/^#/, '?'))
  return testApp.visitor(operator.main).send(tracking.order, { o: id, s: query.get('s') ?? '' })
}
const linesOf = async (id: number) =>
  (await lead.send(orders.get, { id })).lines.map(({ sku, qty, cancelled_qty, packed_qty }) => [sku, qty, cancelled_qty, packed_qty])

describe('the rest of an order', () => {
  it('is decided line by line: some of it follows, some is cancelled', async () => {
    const { id, lines } = await opened(lead)
    const rest_lines = [
      { order_line_id: lines.MUG!, rest: 'backorder' as const },
      { order_line_id: lines.HAT!, rest: 'cancel' as const },
      { order_line_id: lines.SCARF!, rest: 'backorder' as const },
    ]
    expect(await close(lead, id, { rest_lines, expected_on: '2030-01-07' })).toMatchObject({ outcome: 'labelled' })
    expect(await linesOf(id)).toEqual([
      ['MUG', 2, 0, 1],
      ['HAT', 2, 2, 0],
      ['SCARF', 2, 0, 0],
    ])
    expect(await lead.send(orders.get, { id })).toMatchObject({ phase: 'ready' })
    expect(await read(id)).toMatchObject({
      waiting: [
        { name: 'Mug', qty: 1 },
        { name: 'Scarf', qty: 2 },
      ],
      expected_on: '2030-01-07',
      not_coming: [{ name: 'Hat', qty: 2 }],
    })
  })

  it('has to be decided whole', async () => {
    const { id, lines } = await opened()
    await expect(close(kim, id, { rest_lines: [{ order_line_id: lines.MUG!, rest: 'backorder' }] })).rejects.toMatchObject({
      code: 'order_incomplete',
    })
    const both = { rest: 'backorder', rest_lines: [{ order_line_id: lines.MUG!, rest: 'hold' }] }
    expect(await close(kim, id, both)).toMatchObject({ outcome: 'labelled' })
    expect(await lead.send(orders.get, { id })).toMatchObject({ phase: 'held' })
    expect((await read(id)).advice).toMatchObject({ text: 'The shop will tell you what happens to the rest.' })
  })

  it('is cancelled in part only by those who may cancel', async () => {
    const { id, lines } = await opened()
    const body = { rest: 'backorder', rest_lines: [{ order_line_id: lines.HAT!, rest: 'cancel' }] }
    await expect(close(kim, id, body)).rejects.toMatchObject({ status: 403, code: 'cancel_lines_forbidden' })
    expect(await linesOf(id)).toContainEqual(['HAT', 2, 0, 0])
  })

  it('is not said to the recipient where the packer says nothing', async () => {
    const { id } = await opened(lead)
    await close(lead, id, { rest: 'cancel', notify_recipient: false })
    expect(await read(id)).toMatchObject({ not_coming: [], expected_on: null, waiting: [] })
  })

  it('stays decided when the order is closed again after its label', async () => {
    const { id, lines } = await opened(lead)
    const body = { rest: 'backorder', rest_lines: [{ order_line_id: lines.HAT!, rest: 'cancel' }], expected_on: '2030-01-07' }
    await close(lead, id, body)
    await close(lead, id, body)
    expect((await read(id)).not_coming).toEqual([{ name: 'Hat', qty: 2 }])
    const rest = await testApp.services.database.transaction(scopeOfCompany(operator), db =>
      db.selectFrom('events').select('data').where('order_id', '=', id).where('kind', '=', 'order.partially_shipped').execute(),
    )
    expect(rest).toMatchObject([{ data: { follows: 3, cancelled: 2, held: 0, expected_on: '2030-01-07', notify_recipient: true } }])
  })

  it('follows in a second parcel, after which nothing is said to follow', async () => {
    const { id } = await opened()
    await close(kim, id, { rest: 'backorder', expected_on: '2030-01-07' })
    await kim.send(packing.start, { id, body: { station: 'Bench 1' } })
    for (const code of ['MUG', 'HAT', 'HAT', 'SCARF', 'SCARF']) await kim.send(packing.scan, { id, body: { scan_id: randomUUID(), code } })
    const second = await close(kim, id, {})
    expect(second.parcels.map(parcel => parcel.parcel_no)).toEqual([1, 2])
    expect(await read(id)).toMatchObject({ waiting: [], not_coming: [] })
  })
})

it('offers working days of the company for the rest of an order', () => {
  const at = new Date('2026-11-27T09:00:00Z')
  const office = { time_zone: 'Europe/Copenhagen', working_days: [1, 2, 3, 4, 5] }
  expect(restDays(at, office)).toEqual(['2026-11-30', '2026-12-04', '2026-12-11'])
  expect(restDays(at, { ...office, working_days: [2] })).toEqual(['2026-12-01', '2026-12-08', '2026-12-15'])
  expect(restDays(at, { ...office, working_days: [] })).toEqual(['2026-11-28', '2026-12-04', '2026-12-11'])
})

it('asks the packer about the recipient as the company has it', async () => {
  const { id } = await opened()
  expect((await kim.send(packing.get, { id })).partial).toMatchObject({ notice: 'ask' })
  const { version } = await lead.send(company.config, {})
  await lead.send(company.setConfig, { body: { version, partial_notice: 'never' } })
  expect((await kim.send(packing.get, { id })).partial.notice).toBe('never')
})
