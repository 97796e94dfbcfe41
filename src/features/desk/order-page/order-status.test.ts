/** Rules of the order page: the strip and the main action of each state. */
import { describe, expect, it } from 'vitest'
import type { Action, Phase } from '#features/orders/orders/orders.rules.ts'
import { mainActionOf, type StatusFacts, stripOf } from './order-status.rules.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const later = '2026-11-23T16:00:00Z'
const earlier = '2026-11-23T10:00:00Z'
const parcel = { parcel_no: 1, operation_code: 'outbound', state: 'booked', has_label: true, error: null } as const
const warning = { kind: 'postcode', severity: 'error', text: 'The postcode is missing', values: {} } as const

const order = (phase: Phase, facts: Partial<StatusFacts> = {}): StatusFacts => ({
  phase,
  ship_by: later,
  badges: [],
  parcels: [],
  supported_actions: [],
  ...facts,
})
const may = (action: Action) => ({ supported_actions: [{ action, allowed: true, reason: null, values: {} }] })
const says = (facts: StatusFacts) => stripOf(facts, now)?.says ?? null

describe('the strip', () => {
  it('is absent where nothing blocks and nothing is due', () => {
    expect(says(order('ready'))).toBeNull()
    expect(says(order('in_pick'))).toBeNull()
    expect(says(order('picked', { ship_by: null }))).toBeNull()
    expect(says(order('packed', { parcels: [parcel] }))).toBeNull()
    expect(says(order('handed_over', { parcels: [{ ...parcel, state: 'in_transit' }] }))).toBeNull()
    expect(says(order('cancelled'))).toBeNull()
    expect(says(order('closed'))).toBeNull()
  })

  it.each([
    ['new', 'not_released'],
    ['held', 'held'],
    ['short', 'short'],
    ['label_error', 'label_failed'],
    ['in_pack', 'packing'],
    ['packed', 'no_label'],
    ['delivered', 'delivered'],
    ['cancelled_return_to_stock', 'cancelled_return'],
  ] as const)('says of an order in the state %s: %s', (phase, sentence) => {
    expect(says(order(phase))).toBe(sentence)
  })

  it('gives the reason of the last failed label', () => {
    const failed = [
      { ...parcel, state: 'error' as const, error: 'The sender has no address' },
      { ...parcel, state: 'error' as const, error: 'The courier is closed' },
    ]
    expect(stripOf(order('label_error', { parcels: failed }), now)).toEqual({ says: 'label_failed', sentence: 'The courier is closed' })
  })

  it('names what is wrong with the order before that it is late, and offers the address only where that can help', () => {
    const late = { ship_by: earlier, badges: [warning] }
    expect(stripOf(order('ready', { ...late, ...may('edit_address') }), now)).toEqual({ says: 'warning', badge: warning, mayEdit: true })
    expect(stripOf(order('ready', late), now)).toMatchObject({ says: 'warning', mayEdit: false })
    const heavy = { ...warning, kind: 'weight' }
    expect(stripOf(order('ready', { badges: [heavy], ...may('edit_address') }), now)).toMatchObject({ says: 'warning', mayEdit: false })
  })

  it('names the deadline once it has passed', () => {
    expect(says(order('ready', { ship_by: earlier }))).toBe('overdue')
    expect(says(order('picked', { ship_by: earlier }))).toBe('overdue')
    expect(says(order('handed_over', { ship_by: earlier }))).toBeNull()
  })

  it('names a parcel in trouble, but not a return label', () => {
    const lost = { ...parcel, state: 'lost' as const }
    expect(stripOf(order('handed_over', { parcels: [lost] }), now)).toEqual({ says: 'parcel', parcel: lost })
    expect(says(order('handed_over', { parcels: [{ ...lost, operation_code: 'return' }] }))).toBeNull()
  })
})

describe('the main action', () => {
  it.each([
    ['ready', 'pack'],
    ['in_pick', 'pack'],
    ['picked', 'pack'],
    ['in_pack', 'pack'],
    ['short', 'pack'],
    ['label_error', 'pack'],
    ['held', 'release_hold'],
    ['cancelled', null],
    ['cancelled_return_to_stock', null],
    ['closed', null],
  ] as const)('of an order in the state %s is %s', (phase, action) => {
    expect(mainActionOf(order(phase))).toBe(action)
  })

  it('of a packed order prints its label, where there is one that was not cancelled', () => {
    expect(mainActionOf(order('packed', { parcels: [parcel] }))).toBe('print')
    expect(mainActionOf(order('packed', { parcels: [{ ...parcel, state: 'cancelled' }] }))).toBeNull()
    expect(mainActionOf(order('packed', { parcels: [{ ...parcel, operation_code: 'return' }] }))).toBeNull()
  })

  it('releases or closes an order only where the person may', () => {
    expect(mainActionOf(order('new', may('release')))).toBe('release')
    expect(mainActionOf(order('new'))).toBeNull()
    expect(mainActionOf(order('handed_over', may('close')))).toBe('close')
    expect(mainActionOf(order('delivered'))).toBeNull()
  })
})
