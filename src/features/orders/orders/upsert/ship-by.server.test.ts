/** When an order has to leave. */
import { describe, expect, it } from 'vitest'
import { shipBy, shipByOf } from './ship-by.server.ts'

const office = { time_zone: 'Europe/Copenhagen', cut_off: '16:00', working_days: [1, 2, 3, 4, 5] }
const now = new Date('2026-11-12T09:00:00Z')

describe('an order leaves', () => {
  it.each([
    ['before the cut-off: the same day', '2026-11-11T14:59:00Z', '2026-11-11T15:00:00.000Z'],
    ['after the cut-off: the next working day', '2026-11-11T15:01:00Z', '2026-11-12T15:00:00.000Z'],
    ['on Friday evening: on Monday', '2026-11-06T20:00:00Z', '2026-11-09T15:00:00.000Z'],
  ])('%s', (_, ordered_at, expected) => {
    expect(shipBy(office, { ordered_at, now })).toBe(expected)
    expect(shipByOf(office)({ ordered_at, now })).toBe(expected)
  })

  it('by the wall clock, also over the night in which the clock changes', () => {
    const spring = { ordered_at: '2026-03-27T18:00:00Z', now: new Date('2026-03-28T00:00:00Z') }
    expect(shipBy({ ...office, working_days: [7] }, spring)).toBe('2026-03-29T14:00:00.000Z')
    expect(shipBy({ ...office, working_days: [6] }, spring)).toBe('2026-03-28T15:00:00.000Z')
  })

  it('not before the day that the customer asked for', () => {
    expect(shipBy(office, { ordered_at: '2026-11-11T08:00:00Z', now, not_before: '2026-11-20' })).toBe('2026-11-20T15:00:00.000Z')
  })

  it('counted from now when it was placed long ago', () => {
    expect(shipBy(office, { ordered_at: '2010-12-01T08:26:00Z', now })).toBe('2026-11-12T15:00:00.000Z')
  })

  it('at no known time where no one works', () => {
    expect(shipBy({ ...office, working_days: [] }, { ordered_at: '2026-11-11T08:00:00Z', now })).toBeNull()
  })

  it('the same for many orders as for each alone', () => {
    const many = shipByOf(office)
    for (let hour = 0; hour < 400; hour++) {
      const ordered_at = new Date(now.getTime() - ((hour * 7919) % 300) * 3_600_000).toISOString()
      expect(many({ ordered_at, now })).toBe(shipBy(office, { ordered_at, now }))
    }
  })
})
