/** What the clock says of parcels that couriers have. */
import { describe, expect, it } from 'vitest'
import { kindByClock } from './shipment-exceptions.rules.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
const parcel = { state: 'in_transit', last_event_at: ago(10), handed_over_at: ago(40), ready_at: null, tracked: true }

describe('a parcel', () => {
  it.each([
    ['that moves', {}, null],
    ['without news for 72 hours', { last_event_at: ago(72) }, 'no_movement'],
    ['without news for 71 hours', { last_event_at: ago(71) }, null],
    ['without news for 14 days', { last_event_at: ago(14 * 24) }, 'lost'],
    ['that was never scanned for 14 days', { state: 'handed_over', last_event_at: null, handed_over_at: ago(14 * 24) }, 'lost'],
    ['of a courier that reports nothing', { state: 'handed_over', last_event_at: null, handed_over_at: ago(500), tracked: false }, null],
    ['for five days in a shop', { state: 'ready_for_pickup', ready_at: ago(120), last_event_at: ago(1) }, 'waiting_in_shop'],
    ['for four days in a shop', { state: 'ready_for_pickup', ready_at: ago(96), last_event_at: ago(96) }, null],
  ] as const)('%s is %o: %s', (_, change, kind) => {
    expect(kindByClock({ ...parcel, ...change }, now)).toBe(kind)
  })
})
