/** Deadlines of couriers, and the states of a claim. */
import { describe, expect, it } from 'vitest'
import { claimDeadline, statesAfter } from './claims.rules.ts'

describe('the deadline', () => {
  it.each([
    ['damage', { delivered_on: '2026-12-18', booked_on: '2026-12-15' }, '2026-12-25'],
    ['damage', { delivered_on: '2026-12-14', booked_on: '2026-12-10' }, '2026-12-21'],
    ['damage', { delivered_on: null, booked_on: '2026-12-10' }, null],
    ['loss', { delivered_on: null, booked_on: '2028-02-29' }, '2029-02-28'],
    ['missing_item', { delivered_on: '2026-12-18', booked_on: '2026-12-15' }, null],
  ] as const)('of GLS for %s of %o is %s', (kind, days, deadline) => {
    expect(claimDeadline('gls', kind, days)).toBe(deadline)
  })

  it('of a courier whose rule is not known is none', () => {
    expect(claimDeadline('bring', 'damage', { delivered_on: '2026-12-18', booked_on: '2026-12-15' })).toBeNull()
  })
})

it('goes from open to sent, and from there to won or lost; a lost one may be sent again', () => {
  expect(statesAfter('open')).toEqual(['sent'])
  expect(statesAfter('sent')).toEqual(['won', 'lost'])
  expect(statesAfter('lost')).toEqual(['sent'])
  expect(statesAfter('won')).toEqual([])
})
