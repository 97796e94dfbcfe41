/** A parcel is weighed at the station: what is taken, what is asked about, and what a lead takes. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { weighings } from '#features/packing/weighings/weighings.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { packing } from './packing.contract.ts'

let testApp: TestApp
let operator: TestOperator
let kim: TestUser
let lead: TestUser

beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator({ settings: { sender, weigh_parcels: 'always', packaging_weight_g: 200 } })
  kim = await operator.hire(['scan'], operator.main, 'Kim')
  lead = await operator.hire(['admin'], operator.main, 'Jonas')
})
afterAll(() => testApp.close())

/** An order of mugs of 300 g, open at the station, of which so many are packed. */
async function opened({
  qty = 2,
  packed = qty,
  who = kim,
  weight_g = 300,
}: {
  qty?: number
  packed?: number
  who?: TestUser
  weight_g?: number
} = {}) {
  const { id } = await placeOrder(testApp.services.database, scopeOfCompany(operator), {
    agent_code: 'own',
    shipping_method: 'van',
    lines: [{ sku: 'MUG', barcode: 'MUG', name: 'Mug', qty, weight_g, unit_price_excl_vat: '80.00', vat_percent: '25' }],
  })
  await who.send(packing.start, { id, body: { station: `Bench ${who.user_id}` } })
  for (let i = 0; i < packed; i++) await scan(id, who)
  return id
}
const scan = (id: number, who = kim) => who.send(packing.scan, { id, body: { scan_id: randomUUID(), code: 'MUG' } })
const weigh = (id: number, weight_g: number, more: object = {}, who = kim) =>
  who.send(packing.weigh, { id, body: { scan_id: randomUUID(), weight_g, ...more } })
const close = (id: number, who = kim) => who.send(packing.close, { id, body: {} })
async function setting(change: object) {
  const { version } = await lead.send(company.config, {})
  await lead.send(company.setConfig, { body: { version, ...change } })
}

describe('the weight of a parcel', () => {
  it('is taken within the tolerance, and stands on the parcel', async () => {
    const id = await opened()
    expect((await kim.send(packing.get, { id })).weighing).toEqual({
      ...{ mode: 'always', typed: true, pieces: 2, expected_g: 800, tolerance_g: 200, weight_g: null },
    })
    await expect(close(id)).rejects.toMatchObject({ code: 'weight_required' })
    expect(await weigh(id, 955)).toMatchObject({ result: 'weight_set', values: { weight: 955, reckoned: 800 } })
    expect(await close(id)).toMatchObject({ outcome: 'labelled', parcels: [{ weight_g: 955 }] })
  })

  it('is asked about outside of it, and taken by a lead alone', async () => {
    const id = await opened()
    expect(await weigh(id, 1_001)).toMatchObject({ result: 'weight_asked' })
    await expect(weigh(id, 1_001, { confirmed: true })).rejects.toMatchObject({ status: 403, code: 'weight_forbidden' })
    await expect(close(id)).rejects.toMatchObject({ code: 'weight_required' })
    await lead.send(packing.start, { id, body: { station: 'Office', take_over: true } })
    expect(await weigh(id, 1_001, { confirmed: true }, lead)).toMatchObject({ result: 'weight_set' })
    expect(await close(id, lead)).toMatchObject({ parcels: [{ weight_g: 1_001 }] })
  })

  it('is void once another piece lies in the parcel', async () => {
    const id = await opened({ packed: 1 })
    expect(await weigh(id, 500)).toMatchObject({ result: 'weight_set' })
    expect((await kim.send(packing.get, { id })).weighing.weight_g).toBe(500)
    await scan(id)
    expect((await kim.send(packing.get, { id })).weighing).toMatchObject({ weight_g: null, expected_g: 800 })
    await expect(close(id)).rejects.toMatchObject({ code: 'weight_required' })
    await kim.send(packing.undo, { id, body: { scan_id: randomUUID() } })
    expect((await kim.send(packing.get, { id })).weighing.weight_g).toBe(500)
  })

  it('is asked for before the next parcel begins', async () => {
    const id = await opened({ packed: 1 })
    const next = () => kim.send(packing.nextParcel, { id, body: { scan_id: randomUUID() } })
    await expect(next()).rejects.toMatchObject({ code: 'weight_required' })
    await weigh(id, 510)
    expect((await next()).weighing).toMatchObject({ pieces: 0, weight_g: null })
    await scan(id)
    await weigh(id, 520)
    expect((await close(id)).parcels.map(parcel => parcel.weight_g)).toEqual([510, 520])
  })

  it('is refused where the scale shows nothing, the parcel is empty or too heavy for the courier', async () => {
    expect(await weigh(await opened(), 0)).toMatchObject({ result: 'weight_refused' })
    expect(await weigh(await opened({ packed: 0 }), 500)).toMatchObject({ result: 'weight_refused', text: 'This parcel is empty' })
    const heavy = await opened({ qty: 1, weight_g: 1_500_000 })
    const { values, result } = await weigh(heavy, 1_500_000)
    expect(result).toBe(typeof values.limit === 'number' ? 'weight_refused' : 'weight_set')
  })

  it('is answered once for each scan', async () => {
    const id = await opened()
    const scan_id = randomUUID()
    const first = await weigh(id, 820, { scan_id })
    expect(await weigh(id, 820, { scan_id })).toEqual(first)
    const { rows } = await lead.send(weighings.list, { query: 'Kim' })
    expect(rows.filter(row => row.order_id === id)).toHaveLength(1)
  })

  it('is typed only where the company allows it', async () => {
    const id = await opened()
    await setting({ typed_weight: false })
    expect(await weigh(id, 800, { source: 'typed' })).toMatchObject({ result: 'weight_refused' })
    await setting({ typed_weight: true })
    expect(await weigh(id, 800, { source: 'typed' })).toMatchObject({ result: 'weight_set' })
  })

  it('is not asked for where a station has no scale, unless it was weighed', async () => {
    await setting({ weigh_parcels: 'scale' })
    expect(await close(await opened())).toMatchObject({ parcels: [{ weight_g: 800 }] })
    const id = await opened()
    await weigh(id, 870)
    expect(await close(id)).toMatchObject({ parcels: [{ weight_g: 870 }] })
    await setting({ weigh_parcels: 'always' })
  })
})

describe('the log of weighings', () => {
  it('holds each of them, also those that were not taken', async () => {
    const id = await opened()
    await weigh(id, 2_000)
    await weigh(id, 790)
    const mine = (await lead.send(weighings.list, { limit: 200 })).rows.filter(row => row.order_id === id)
    expect(mine).toMatchObject([
      { outcome: 'ok', weight_g: 790, expected_g: 800, weighed_by: 'Kim', overridden_by: null },
      { outcome: 'asked', weight_g: 2_000 },
    ])
    const differing = await lead.send(weighings.list, { outcome: 'asked', limit: 200 })
    expect(differing.rows.every(row => row.outcome === 'asked')).toBe(true)
    await expect(kim.send(weighings.list, {})).rejects.toMatchObject({ status: 403 })
  })

  it('is exported', async () => {
    const file = (await lead.send(weighings.export, {})) as unknown as { bytes: Buffer }
    expect(file.bytes.toString()).toMatch(/weighed_at.*expected_g/)
  })
})
