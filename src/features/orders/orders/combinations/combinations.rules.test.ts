/** Which orders may go in one parcel. */
import { describe, expect, it } from 'vitest'
import {
  asSortable,
  type CombinableOrder,
  folded,
  leadOf,
  parcelsOf,
  recipientKey,
  refusalOfOrder,
  refusalOfPair,
  refusalsOf,
} from './combinations.rules.ts'

const order = (more: Partial<CombinableOrder> = {}): CombinableOrder => ({
  id: 1,
  company_id: 1,
  order_no: '1001',
  ordered_at: '2026-11-20T10:00:00Z',
  ship_by: null,
  work_state: 'ready',
  held: false,
  cancelled_at: null,
  is_combined: false,
  is_split: false,
  begun: false,
  currency: 'DKK',
  payment_state: 'paid',
  agent_code: 'gls',
  shipping_method: 'parcel',
  service_point_id: null,
  wished_date: null,
  customs: {},
  customer_email: 'lene@example.test',
  customer_phone: '+4512345678',
  ship_to: {
    name: 'Lene Hansen',
    company: null,
    address1: 'Skibhusvej 52, 2. tv',
    address2: null,
    postcode: '5000',
    city: 'Odense C',
    country: 'DK',
    instruction: null,
    door_code: null,
  },
  ...more,
})
const to = (more: Partial<CombinableOrder['ship_to']>) => order({ id: 2, ship_to: { ...order().ship_to, ...more } })

describe('an order may not go with any other', () => {
  it.each<[string, Partial<CombinableOrder>]>([
    ['combine_cancelled', { cancelled_at: '2026-11-20T10:00:00Z' }],
    ['combine_gone', { work_state: 'packed' }],
    ['combine_gone', { work_state: 'handed_over' }],
    ['combine_gone', { work_state: 'closed' }],
    ['combine_again', { is_combined: true }],
    ['combine_split', { is_split: true }],
    ['combine_begun', { work_state: 'in_pick' }],
    ['combine_begun', { work_state: 'picked' }],
    ['combine_begun', { work_state: 'in_pack' }],
    ['combine_begun', { begun: true }],
    ['combine_held', { held: true }],
    ['combine_unreleased', { work_state: 'new' }],
    ['combine_no_method', { shipping_method: null }],
  ])('%s', (code, more) => expect(refusalOfOrder(order(more))?.code).toBe(code))

  it('unless it waits to be picked', () => expect(refusalOfOrder(order())).toBeNull())
})

describe('two orders do not go in one parcel', () => {
  it.each<[string, Partial<CombinableOrder>]>([
    ['combine_company', { company_id: 2 }],
    ['combine_contact', { customer_email: 'ole@example.test' }],
    ['combine_contact', { customer_phone: '+4587654321' }],
    ['combine_method', { agent_code: 'dao' }],
    ['combine_method', { shipping_method: 'business' }],
    ['combine_parcel_shop', { service_point_id: '96042' }],
    ['combine_day', { wished_date: '2026-12-01' }],
    ['combine_currency', { currency: 'SEK' }],
    ['combine_payment', { payment_state: 'authorized' }],
    ['combine_customs', { customs: { incoterm: 'DDP' } }],
  ])('%s', (code, more) => expect(refusalOfPair(order(), order({ id: 2, ...more }))?.code).toBe(code))

  it.each<[string, Partial<CombinableOrder['ship_to']>]>([
    ['combine_recipient', { name: 'Ole Hansen' }],
    ['combine_recipient', { company: 'Keramik ApS' }],
    ['combine_recipient', { address1: 'Skibhusvej 54' }],
    ['combine_recipient', { postcode: '5240' }],
    ['combine_recipient', { country: 'SE' }],
    ['combine_instruction', { instruction: 'Behind the shed' }],
    ['combine_instruction', { door_code: '1234' }],
  ])('%s by its address', (code, more) => expect(refusalOfPair(order(), to(more))?.code).toBe(code))
})

describe('two orders go in one parcel', () => {
  it.each<[string, CombinableOrder]>([
    ['alike', order({ id: 2 })],
    ['address in other letters', to({ address1: 'skibhusvej 52 2.TV' })],
    ['floor in the second line', to({ address1: 'Skibhusvej 52', address2: '2. tv' })],
    ['accents', to({ name: 'Léne  Hansen' })],
    ['only one has an e-mail address', order({ id: 2, customer_email: null })],
    ['phone number without its country', order({ id: 2, customer_phone: '12 34 56 78' })],
    ['empty customs data', order({ id: 2, customs: { incoterm: null } })],
  ])('%s', (_name, other) => expect(refusalOfPair(order(), other)).toBeNull())

  it('are carried by the one that must leave first, then by the oldest', () => {
    const [old, urgent, young] = [
      order(),
      order({ id: 2, ordered_at: '2026-11-21T10:00:00Z', ship_by: '2026-11-22T10:00:00Z' }),
      order({ id: 3, ordered_at: '2026-11-22T10:00:00Z' }),
    ]
    expect(leadOf([young, old])?.id).toBe(1)
    expect(leadOf([young, old, urgent])?.id).toBe(2)
    expect(leadOf([])).toBeUndefined()
  })

  it('each with its own refusal where one cannot', () => {
    const refused = refusalsOf([order(), order({ id: 2, held: true }), order({ id: 3, currency: 'EUR' })])
    expect([...refused].map(([id, why]) => [id, why.code])).toEqual([
      [2, 'combine_held'],
      [3, 'combine_currency'],
    ])
  })

  it('whatever script their names are written in', () => {
    expect(folded('Ægir Øst-Å')).toBe(folded('ægir østå'))
    expect(recipientKey(to({ name: 'Иван' }).ship_to)).not.toBe(recipientKey(to({ name: 'Олег' }).ship_to))
  })
})

describe('many orders are sorted into parcels', () => {
  const sorted = (orders: readonly CombinableOrder[]) => {
    const { parcels, refused } = parcelsOf(orders.map(asSortable))
    return { parcels: parcels.map(parcel => parcel.map(one => one.id)), refused: [...refused].map(([id, why]) => [id, why.code]) }
  }
  const ids = (from: number, count: number, more: Partial<CombinableOrder> = {}) =>
    Array.from({ length: count }, (_, n) => order({ id: from + n, ...more }))

  it('by recipient and method, the one that must leave first at the head; who is alone goes by itself', () => {
    const orders = [
      order({ id: 1 }),
      order({ id: 2, ship_by: '2026-11-21T10:00:00Z' }),
      order({ id: 3, shipping_method: 'shop' }),
      order({ id: 4, held: true }),
    ]
    expect(sorted(orders)).toEqual({
      parcels: [[2, 1]],
      refused: [
        [4, 'combine_held'],
        [3, 'combine_alone'],
      ],
    })
  })

  it('ten at most in each, and one that is left over goes by itself', () => {
    const { parcels, refused } = sorted(ids(1, 21))
    expect(parcels.map(parcel => parcel.length)).toEqual([10, 10])
    expect(refused).toEqual([[21, 'combine_alone']])
  })

  it('never with another contact, even where the lead has none', () => {
    const none = order({ id: 1, customer_email: null })
    const [lene, ole] = [order({ id: 2 }), order({ id: 3, customer_email: 'ole@example.test' })]
    expect(sorted([none, lene, ole])).toEqual({ parcels: [[1, 2]], refused: [[3, 'combine_alone']] })
  })

  it('in linear time, however many go to one place with other contacts', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => order({ id: n + 1, customer_email: `person-${n}@example.test` }))
    expect(sorted(many).refused).toHaveLength(20_000)
  })
})
