/** Price tables over HTTP: steps without overlap, files with mistakes at their cells, zones, surcharges, and what a shipment costs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { elementAt } from '#domain/objects.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { prices } from './prices.contract.ts'

let testApp: TestApp
let operator: TestOperator
let main: TestUser
let shop: TestUser
beforeAll(async () => {
  testApp = await openTestApp()
})
beforeEach(async () => {
  operator = await testApp.operator({ shops: 1, settings: { sender } })
  main = await operator.hire(['admin'])
  shop = await operator.hire(['settings_admin'], elementAt(operator.shops, 0))
})
afterAll(() => testApp.close())

const van = { agent_code: 'own', shipping_method: 'van' }
const price = (max_g: number, amount: number, more: object = {}) => ({
  ...van,
  max_g,
  amount,
  currency: 'DKK',
  valid_from: '2026-01-01',
  ...more,
})
const add = (body: ReturnType<typeof price>, by = main) => by.send(prices.create, { body })

describe('price steps', () => {
  it('are listed by zone and weight, and by the day on which they hold', async () => {
    const zone = await main.send(prices.createZone, { body: { name: 'Islands', countries: ['DK'], postcodes: '3700-3799' } })
    await add(price(5_000, 3_900))
    await add(price(1_000, 3_100))
    await add(price(1_000, 5_500, { zone_id: zone.id }))
    await add(price(1_000, 3_300, { valid_from: '2027-01-01' }))
    const on = async (day: string) => (await main.send(prices.list, { on: day })).rows.map(row => [row.zone, row.max_g, row.amount])
    expect(await on('2026-11-21')).toEqual([
      [null, 1_000, 3_100],
      [null, 5_000, 3_900],
      ['Islands', 1_000, 5_500],
    ])
    expect(await on('2027-01-01')).toContainEqual([null, 1_000, 3_300])
    expect((await main.send(prices.list, { on: '2025-12-31' })).rows).toEqual([])
    expect(await main.send(prices.list, { zone: zone.id })).toMatchObject({ total: 1 })
  })

  it('end the day before the next price for the same, and never overlap', async () => {
    const first = await add(price(1_000, 3_100))
    await add(price(1_000, 3_300, { valid_from: '2027-01-01' }))
    const { rows } = await main.send(prices.list, {})
    expect(rows.map(row => [row.valid_from, row.valid_to])).toEqual([
      ['2027-01-01', null],
      ['2026-01-01', '2026-12-31'],
    ])
    // Between the two there is an end.
    expect(await add(price(1_000, 3_200, { valid_from: '2026-07-01' }))).toMatchObject({ valid_to: '2026-12-31' })
    await expect(add(price(1_000, 1))).rejects.toMatchObject({ code: 'price_overlap', fields: { valid_from: expect.any(String) } })
    await expect(add(price(1_000, 1, { valid_from: '2026-12-01', valid_to: '2027-02-01' }))).rejects.toMatchObject({
      code: 'price_overlap',
    })
    const { id, version } = (await main.send(prices.list, { on: '2026-01-01' })).rows.find(row => row.id === first.id) ?? first
    await expect(main.send(prices.update, { id, body: { ...price(1_000, 3_100), valid_to: '2026-08-01', version } })).rejects.toMatchObject(
      { code: 'price_overlap' },
    )
    await expect(main.send(prices.update, { id, body: { ...price(1_000, 1), version: 99 } })).rejects.toMatchObject({
      code: 'settings_changed',
    })
    expect(await main.send(prices.update, { id, body: { ...price(1_000, 3_000), valid_to: '2026-06-30', version } })).toMatchObject({
      amount: 3_000,
    })
  })

  it('are refused for a method, a zone or dates that make no sense', async () => {
    await expect(add({ ...price(1, 1), shipping_method: 'rocket' })).rejects.toMatchObject({ code: 'shipping_method_not_found' })
    await expect(add(price(1, 1, { zone_id: 9_999 }))).rejects.toMatchObject({ code: 'price_zone_not_found' })
    expect((await main.ask(prices.create, { body: price(1, 1, { valid_to: '2025-01-01' }) })).statusCode).toBe(400)
  })

  it('belong to one company; the main company names a shop, a shop sees only its own', async () => {
    const { code } = elementAt(operator.shops, 0)
    await main.send(prices.create, { company: code, body: price(1_000, 4_000) })
    expect((await shop.send(prices.list, {})).rows.map(row => row.amount)).toEqual([4_000])
    expect((await main.send(prices.list, {})).rows).toEqual([])
    expect((await main.send(prices.list, { company: code })).total).toBe(1)
    await expect(shop.send(prices.list, { company: operator.main.code })).rejects.toMatchObject({ code: 'company_not_at_address' })
    const reader = await operator.hire(['settings'])
    expect((await reader.ask(prices.create, { body: price(1, 1) })).statusCode).toBe(403)
  })
})

describe('a price file', () => {
  const file = (...rows: string[]) => ['courier;method;zone;max kg;price;currency;from;to', ...rows].join('\n')

  it('is checked cell by cell and stored whole or not at all', async () => {
    await main.send(prices.createZone, { body: { name: 'Islands', countries: ['DK'], postcodes: '3700-3799' } })
    await add(price(1_000, 3_000))
    const text = file(
      'own;van;;1;31,00;DKK;01.01.2027;',
      'own;van;islands;1;55.00;DKK;2027-01-01;',
      'own;rocket;;5;39,00;DKK;2027-01-01;',
      'gls;van;Moon;x;-1;kr;tomorrow;2026-02-30',
      'own;van;;1;32,00;DKK;2027-02-01;',
    )
    const checked = await main.send(prices.import, { body: { text, save: true } })
    expect(checked).toMatchObject({ saved: false, wrong: 3, added: 2, replaced: 0, ended: 1 })
    expect(checked.rows.map(row => [row.row, Object.keys(row.errors).toSorted()])).toEqual([
      [2, []],
      [3, []],
      [4, ['shipping_method']],
      [5, ['agent_code', 'currency', 'max_g', 'valid_from', 'valid_to', 'zone']],
      [6, ['valid_from']],
    ])
    expect((await main.send(prices.list, {})).total).toBe(1)

    const corrected = checked.rows.slice(0, 3).map(({ row, cells }) => ({ row, cells: { ...cells, shipping_method: 'van' } }))
    expect(await main.send(prices.import, { body: { rows: corrected, save: true } })).toMatchObject({ saved: true, added: 3, ended: 1 })
    expect((await main.send(prices.list, { on: '2027-06-01' })).rows.map(row => [row.zone, row.max_g, row.amount])).toEqual([
      [null, 1_000, 3_100],
      [null, 5_000, 3_900],
      ['Islands', 1_000, 5_500],
    ])
    expect((await main.send(prices.list, { on: '2026-12-31' })).rows.map(row => row.amount)).toEqual([3_000])
  })

  it('comes back as it is exported, and replaces the prices of the same first day', async () => {
    await add(price(1_000, 3_100, { per_kg_amount: 250, volume_divisor: 5_000, max_length_mm: 1_200 }))
    const { bytes } = await exported()
    const text = new TextDecoder().decode(bytes).replace('31.00', '32.00')
    expect(await main.send(prices.import, { body: { text, save: true } })).toMatchObject({ saved: true, added: 0, replaced: 1 })
    expect((await main.send(prices.list, {})).rows).toMatchObject([
      { amount: 3_200, per_kg_amount: 250, volume_divisor: 5_000, max_length_mm: 1_200, valid_from: '2026-01-01' },
    ])
  })
  const exported = async () => ({ bytes: (await main.ask(prices.export, {})).rawPayload })

  it('without rows or with too many is refused', async () => {
    await expect(main.send(prices.import, { body: { text: file(), save: false } })).rejects.toMatchObject({ code: 'csv_no_rows' })
    const many = file(...Array.from({ length: 2_001 }, () => 'own;van;;1;31,00;DKK;2027-01-01;'))
    await expect(main.send(prices.import, { body: { text: many, save: false } })).rejects.toMatchObject({ code: 'price_file_too_long' })
    expect((await main.ask(prices.import, { body: { save: false } })).statusCode).toBe(400)
  })
})

describe('zones and surcharges', () => {
  it('have one name each, and stay while prices use them', async () => {
    const zone = await main.send(prices.createZone, { body: { name: 'Nordic', countries: ['SE', 'NO'] } })
    await expect(main.send(prices.createZone, { body: { name: 'nordic', countries: ['FI'] } })).rejects.toMatchObject({
      code: 'price_zone_exists',
    })
    expect((await main.ask(prices.createZone, { body: { name: 'X', countries: ['DK'], postcodes: 'no code' } })).statusCode).toBe(400)
    const step = await add(price(1_000, 9_900, { zone_id: zone.id }))
    await expect(main.send(prices.removeZone, { id: zone.id })).rejects.toMatchObject({ code: 'price_zone_in_use' })
    await main.send(prices.remove, { id: step.id })
    await main.send(prices.removeZone, { id: zone.id })
    expect(await main.send(prices.zones, {})).toEqual([])
  })

  it('are part of the price that is tried', async () => {
    await add(price(1_000, 3_100))
    const fuel = { name: 'Fuel', agent_code: 'own', kind: 'percent' as const, percent_milli: 10_000, valid_from: '2026-01-01' }
    const made = await main.send(prices.createSurcharge, { body: fuel })
    expect((await main.ask(prices.createSurcharge, { body: { ...fuel, percent_milli: null } })).statusCode).toBe(400)
    const tried = (weight_g: number, country = 'DK') =>
      main.send(prices.try, { body: { ...van, country, postcode: '2100', weight_g, on: '2026-06-01' } })
    expect(await tried(900)).toMatchObject({
      price: { amount: 3_410, parts: [{ amount: 3_100 }, { name: 'Fuel', amount: 310 }] },
      why: null,
    })
    expect(await tried(1_200)).toEqual({ price: null, why: 'too_heavy' })
    await main.send(prices.updateSurcharge, {
      id: made.id,
      body: { ...fuel, kind: 'amount', amount: 500, currency: 'DKK', percent_milli: null, version: made.version },
    })
    expect(await tried(900)).toMatchObject({ price: { amount: 3_600 } })
    await main.send(prices.removeSurcharge, { id: made.id })
    expect(await tried(900)).toMatchObject({ price: { amount: 3_100 } })
  })
})

it('a shipment keeps the price of the day on which it was booked', async () => {
  const packer = await operator.hire(['scan', 'parcels'])
  const step = await add(price(30_000, 4_200, { valid_from: '2020-01-01' }))
  const { shipments } = await packer.send(labels.create, {
    agent_code: 'own',
    shipping_method: 'van',
    operation_code: 'outbound',
    body: {
      recipient: { name: 'Lene', address1: 'Skibhusvej 52', postcode: '5000', city: 'Odense C', country: 'DK', phone: '+4512345678' },
      parcels: [{ weight_g: 1_200, lines: [{ description: 'Spare part', quantity: 1 }] }],
    },
  })
  await main.send(prices.remove, { id: step.id })
  const story = await packer.send(labels.get, { id: elementAt(shipments, 0).shipment_id })
  expect(story.price).toMatchObject({ amount: 4_200, currency: 'DKK', charged_g: 1_200 })
})
