/** Deadlines of couriers, and the states of a claim. */
import { describe, expect, it } from 'vitest'
import { claimDeadline, publishedPeriod, statesAfter } from './claims.rules.ts'

describe('the deadline', () => {
  it.each([
    ['damage', { delivered_on: '2026-12-18', booked_on: '2026-12-15' }, '2026-12-25'],
    ['damage', { delivered_on: '2026-12-14', booked_on: '2026-12-10' }, '2026-12-21'],
    ['damage', { delivered_on: null, booked_on: '2026-12-10' }, null],
    ['loss', { delivered_on: null, booked_on: '2028-02-29' }, '2029-02-28'],
    ['missing_item', { delivered_on: '2026-12-18', booked_on: '2026-12-15' }, null],
  ] as const)('of GLS for %s of %o is %s', (kind, days, deadline) => {
    expect(claimDeadline(publishedPeriod('gls', kind), { ...days, noticed_on: null })).toBe(deadline)
  })

  it('of a courier whose rule is not known is none', () => {
    expect(publishedPeriod('bring', 'damage')).toBeNull()
    expect(claimDeadline(null, { delivered_on: '2026-12-18', booked_on: '2026-12-15', noticed_on: '2026-12-18' })).toBeNull()
  })

  it.each([
    [{ count: 7, unit: 'days', counts_from: 'delivered' }, '2026-12-25'],
    [{ count: 7, unit: 'working_days', counts_from: 'delivered' }, '2026-12-29'],
    [{ count: 2, unit: 'months', counts_from: 'booked' }, '2027-02-15'],
    [{ count: 10, unit: 'days', counts_from: 'noticed' }, '2026-12-30'],
  ] as const)('by the agreement %o is %s', (period, deadline) => {
    expect(claimDeadline(period, { delivered_on: '2026-12-18', booked_on: '2026-12-15', noticed_on: '2026-12-20' })).toBe(deadline)
  })
})

it('goes from open to sent, and from there to won or lost; a lost one may be sent again', () => {
  expect(statesAfter('open')).toEqual(['sent'])
  expect(statesAfter('sent')).toEqual(['won', 'lost'])
  expect(statesAfter('lost')).toEqual(['sent'])
  expect(statesAfter('won')).toEqual([])
})
