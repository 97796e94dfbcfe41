/** What is particular to PrestaShop: the shop's own clock, states of its own, resources beside the order, and one field for numbers. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import type { FulfilmentFact, PushedParcel } from '../shop-connector.ts'
import { accessTo } from '../shop-server.fake.ts'
import {
  type FakePrestashop,
  openFakePrestashop,
  prestashopAddress,
  prestashopCarrier,
  prestashopCustomer,
  prestashopOrder,
  prestashopRow,
  prestashopStates,
} from './prestashop.fake.ts'
import { localTime, prestashop, startBefore } from './prestashop.ts'
import { type PrestashopOptions, type PrestashopReferences, readPrestashopOrder } from './prestashop-order.ts'

const byId = (rows: readonly { id: string }[]) => new Map(rows.map(row => [row.id, { ...row }]))
const references: PrestashopReferences = {
  addresses: byId([
    prestashopAddress,
    { ...prestashopAddress, id: '22', company: 'Hansen ApS', vat_number: 'DK12345678', phone_mobile: '' } as { id: string },
  ]),
  customers: byId([prestashopCustomer]),
  currencies: byId([{ id: '1', iso_code: 'DKK' } as { id: string }]),
  countries: byId([{ id: '20', iso_code: 'DK' } as { id: string }]),
  carriers: byId([prestashopCarrier]),
  order_states: byId(prestashopStates),
}
const usual = { timeZone: 'Europe/Copenhagen', cancelledState: '6', refundedState: '7' }
const read = (over: Record<string, unknown> = {}, options: PrestashopOptions = usual): CanonicalOrder => {
  const { order, problems } = readPrestashopOrder(prestashopOrder(over), references, options)
  if (!order) throw new Error(JSON.stringify(problems))
  return order
}

describe('an order of PrestaShop', () => {
  it.each([
    ['1', {}, 'new', 'pending'],
    ['1', { packUnpaid: true }, 'ready', 'pending'],
    ['2', {}, 'ready', 'paid'],
    ['4', {}, 'closed', 'paid'],
    ['5', {}, 'closed', 'paid'],
    ['6', {}, 'cancelled', 'paid'],
    ['7', {}, 'cancelled', 'refunded'],
    ['99', {}, 'held', 'pending'],
  ])('in the state %s is, with %j, %s and %s', (current_state, options, status, payment_status) => {
    expect(read({ current_state }, { ...usual, ...options })).toMatchObject({ status, payment_status })
  })

  it('is cancelled only in the state that the shop names so', () => {
    expect(read({ current_state: '6' }, { timeZone: 'UTC' }).status).toBe('new')
    expect(read({ current_state: '6', total_paid_real: '0.000000' }).payment_status).toBe('voided')
  })

  it("has times of the shop's clock, in summer and in winter", () => {
    expect(read()).toMatchObject({ ordered_at: '2026-11-10T10:30:00.000Z', version: Date.parse('2026-11-10T10:31:12Z') })
    expect(read({ date_add: '2026-07-10 11:30:00' }).ordered_at).toBe('2026-07-10T09:30:00.000Z')
    expect(read({ date_add: '0000-00-00 00:00:00' }).ordered_at).toBeNull()
  })

  it('has the addresses of delivery and invoice, the mobile number before the other', () => {
    const order = read({ id_address_invoice: '22' })
    expect(order.ship_to).toMatchObject({ phone: '12 34 56 78', company: null, country: 'DK', email: 'lene@example.test' })
    expect(order.bill_to).toMatchObject({ company: 'Hansen ApS', vat_no: 'DK12345678', phone: '66 12 34 56' })
  })

  it('without its address is refused at the country, unless the shop has one', () => {
    const lost = { id_address_delivery: '404', id_address_invoice: '0' }
    expect(readPrestashopOrder(prestashopOrder(lost), references, usual).problems?.[0]?.field).toBe('ship_to.country')
    expect(read(lost, { ...usual, country: 'DK' }).ship_to.country).toBe('DK')
  })

  it('has its discount, its wrapping and its shipping as charges', () => {
    const order = read({
      total_discounts_tax_excl: '8.000000',
      total_discounts_tax_incl: '10.000000',
      total_wrapping_tax_excl: '4.000000',
      total_wrapping_tax_incl: '5.000000',
    })
    expect(order.lines.slice(1).map(line => [line.type, line.unit_price_excl_vat, line.vat_percent, line.requires_shipping])).toEqual([
      ['shipping', '31.2', '25', false],
      ['fee', '4', '25', false],
      ['discount', '8', '25', false],
    ])
  })

  it('knows a carrier by the reference that stays when it is edited', () => {
    expect(read().shipping).toMatchObject({ title: 'GLS Pakkeshop', code: '2', price_incl_vat: '39' })
  })

  it('reads rows without a number of a variant, and none with a quantity of zero', () => {
    const order = read({
      associations: {
        order_rows: [prestashopRow({ id: '1', product_ean13: '5701234567899' }), prestashopRow({ id: '2', product_quantity: '0' })],
      },
    })
    expect(order.lines.filter(line => line.type === 'item')).toMatchObject([{ barcode: '5701234567899', custom: { product_id: '93' } }])
  })
})

describe('the clock of a shop', () => {
  it.each([
    ['2026-11-10T10:30:00Z', '2026-11-10 11:30:00'],
    ['2026-07-10T10:30:00Z', '2026-07-10 12:30:00'],
    ['2026-10-25T00:30:00Z', '2026-10-25 02:30:00'],
    ['2026-10-25T01:30:00Z', '2026-10-25 02:30:00'],
  ])('shows %s as %s', (instant, local) => {
    expect(localTime(Date.parse(instant), 'Europe/Copenhagen')).toBe(local)
  })

  it.each([
    ['2026-10-25T01:10:00Z', 60],
    ['2026-10-24T12:00:00Z', 0],
    ['2026-10-25T12:00:00Z', 0],
    ['2026-03-29T01:10:00Z', 0],
  ])('near the hour that comes twice is asked an hour earlier: %s, %i minutes', (instant, minutes) => {
    expect(Date.parse(instant) - startBefore(Date.parse(instant), 'Europe/Copenhagen')).toBe(minutes * 60_000)
  })
})

describe('a push to PrestaShop', () => {
  let shop: FakePrestashop
  beforeEach(async () => {
    shop = await openFakePrestashop()
  })
  afterEach(() => shop.close())
  const parcel = (tracking_no: string): PushedParcel => ({
    tracking_no,
    tracking_url: null,
    courier_code: 'gls',
    courier_name: 'GLS',
    lines: [],
  })
  const push = (id: string, tracking_no: string, over: Partial<FulfilmentFact> = {}, settings: Record<string, string> = {}) =>
    prestashop.push(accessTo({ ...shop, settings: { ...shop.settings, ...settings } }), {
      kind: 'fulfilment',
      key: tracking_no,
      external_id: id,
      order_no: id,
      refs: [],
      parcel: parcel(tracking_no),
      parcels: [],
      is_last: true,
      notify_customer: true,
      ...over,
    })

  it('writes the number before the status, so that the mail to the customer holds it', async () => {
    const { id } = shop.place()
    await push(id, 'TRACK1')
    expect(shop.mails).toEqual(['4 TRACK1'])
    const { id: quiet } = shop.place()
    await push(quiet, 'TRACK2', { notify_customer: false })
    expect(shop.mails).toHaveLength(1)
  })

  it('keeps everything else of the row that it replaces', async () => {
    const { id } = shop.place()
    await push(id, 'A&B<1>')
    expect(shop.resources.order_carriers?.[0]).toMatchObject({
      id_order: id,
      id_carrier: '3',
      weight: '0.4',
      tracking_number: 'A&amp;B&lt;1&gt;',
    })
  })

  it('takes the row with the highest id', async () => {
    const { id } = shop.place()
    shop.resources.order_carriers!.push({ id: '50', id_order: id, id_carrier: '4', tracking_number: '' })
    await push(id, 'TRACK1')
    expect(shop.resources.order_carriers!.map(row => row.tracking_number)).toEqual(['', 'TRACK1'])
  })

  it('leaves out the oldest numbers when they do not fit, and says so', async () => {
    const { id } = shop.place()
    const numbers = ['A', 'B', 'C'].map(letter => letter.repeat(25))
    for (const number of numbers.slice(0, 2)) await push(id, number, { is_last: false })
    expect(await push(id, numbers[2]!)).toMatchObject({ kind: 'done', words: `No place for the numbers ${numbers[0]}` })
    expect(shop.parcels(id)).toEqual(numbers.slice(1))
  })

  it('writes only the number where no status is chosen', async () => {
    const { id } = shop.place()
    expect(await push(id, 'TRACK1', {}, { shipped_state: '' })).toMatchObject({ kind: 'done', status: '2' })
    expect(shop.isSent(id)).toBe(false)
  })

  it('cancels only with a status that was chosen', async () => {
    const { id } = shop.place()
    const access = accessTo({ ...shop, settings: { ...shop.settings, cancelled_state: '' } })
    expect(await prestashop.push(access, { kind: 'cancellation', key: 'c', external_id: id, order_no: id, refs: [] })).toMatchObject({
      kind: 'refused',
    })
  })

  it('sets the status that a line of the history names, once', async () => {
    const { id } = shop.place()
    const fact = {
      kind: 'status_history',
      key: 'h',
      external_id: id,
      order_no: id,
      refs: [],
      status: 'processing in progress',
      text: '',
      visible_to_customer: true,
      notify_customer: true,
    } as const
    expect(await prestashop.push(accessTo(shop), fact)).toMatchObject({ kind: 'done', status: '3' })
    expect(await prestashop.findDone(accessTo(shop), fact)).toMatchObject({ kind: 'done' })
    expect(shop.mails).toHaveLength(1)
  })

  it('offers the states of the shop that are not deleted', async () => {
    const states = await prestashop.statuses?.(accessTo(shop))
    expect(states).toContainEqual({ code: '4', name: 'Shipped' })
    expect(states?.some(state => state.code === '15')).toBe(false)
  })

  it('warns of a status for shipped orders that is not marked as shipped', async () => {
    const access = accessTo({ ...shop, settings: { ...shop.settings, shipped_state: '3' } })
    expect((await prestashop.test(access)).warnings).toEqual(['The status of an order that was sent is not marked as shipped in the shop'])
  })

  it('refuses a time zone that does not exist before anything is asked', async () => {
    const access = accessTo({ ...shop, settings: { ...shop.settings, time_zone: 'Europe/Odense' } })
    await expect(prestashop.test(access)).rejects.toThrow('Write the time zone as in Europe/Copenhagen')
    await expect(prestashop.pull(access, { by: 'changed', from: '2026-11-10T00:00:00Z', to: null, page: null })).rejects.toThrow(
      'Write the time zone',
    )
    expect(shop.server.requests).toHaveLength(0)
  })
})
