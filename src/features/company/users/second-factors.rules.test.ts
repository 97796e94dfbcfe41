/** Who needs a second factor, and how a recovery code is read. */
import { describe, expect, it } from 'vitest'
import {
  daysLeft,
  graceEnd,
  needsSecondFactor,
  readRecoveryCode,
  recoveryLength,
  recoveryLetters,
  showRecoveryCode,
} from './second-factors.rules.ts'

describe('a second factor', () => {
  it.each([
    ['off', ['admin'], false],
    ['admins', ['admin'], true],
    ['admins', ['users_admin', 'scan'], true],
    ['admins', ['personal_admin'], true],
    ['admins', ['parcels_admin'], false],
    ['everyone', ['parcels'], true],
    ['everyone', ['scan', 'parcels'], true],
    ['everyone', ['scan', 'pick', 'punchclock', 'dashboard'], false],
    ['everyone', [], false],
  ] as const)('under the policy %s is asked of %j: %s', (policy, permissions, needed) => {
    expect(needsSecondFactor(policy, permissions)).toBe(needed)
  })
})

describe('a recovery code', () => {
  it.each([
    ['k3m9-p2xw-7tq8-r4vz-1h6c-d0fj', 'k3m9p2xw7tq8r4vz1h6cd0fj'],
    [' K3M9 P2XW 7TQ8 R4VZ 1H6C D0FJ ', 'k3m9p2xw7tq8r4vz1h6cd0fj'],
    ['OIL0-1oil-01OI-L01o-il01-OIL0', '011010110101101011010110'],
    // As codes were until their users make new ones.
    ['k3m9p-2xw7t', 'k3m9p2xw7t'],
    ['k3m9-p2xw-7tq8-r4vz-1h6c-d0f', null],
    ['k3m9-p2xw-7tq8-r4vz-1h6c-d0fj-s', null],
    ['k3m9p-2xw7', null],
    ['k3m9p-2xw7t0', null],
    ['k3m9u-2xw7t', null],
    ['', null],
  ])('%j is read as %j', (typed, read) => expect(readRecoveryCode(typed)).toBe(read))

  it('is shown in groups of four', () => expect(showRecoveryCode('k3m9p2xw7tq8r4vz1h6cd0fj')).toBe('k3m9-p2xw-7tq8-r4vz-1h6c-d0fj'))

  it('has more bits than can be tried by who has its hash', () =>
    expect(recoveryLength * Math.log2(recoveryLetters.length)).toBeGreaterThanOrEqual(112))
})

describe('the days without a second factor', () => {
  const [company, early, late] = ['2026-11-10T08:00:00.000Z', '2026-11-01T08:00:00.000Z', '2026-11-20T08:00:00.000Z']

  it.each([
    ['end some days after the company began to ask', { since: company, joined: early, days: 14 }, '2026-11-24T08:00:00.000Z'],
    ['end some days after a later colleague joined', { since: company, joined: late, days: 14 }, '2026-12-04T08:00:00.000Z'],
    ['are none for anyone where the company gives none', { since: company, joined: late, days: 0 }, company],
    ['count from the day of joining where no beginning is known', { since: null, joined: early, days: 7 }, '2026-11-08T08:00:00.000Z'],
    ['have ended long ago where neither gives any', { since: null, joined: early, days: 0 }, '1970-01-01T00:00:00.000Z'],
  ])('%s', (_, of, end) => expect(graceEnd(of)).toBe(end))

  it.each([
    ['2026-11-26T10:00:00Z', 0],
    ['2026-11-27T09:59:59Z', 0],
    ['2026-11-27T10:00:00Z', 1],
    ['2026-12-03T12:00:00Z', 7],
    ['2026-11-20T10:00:00Z', 0],
  ])('until %s are %d whole ones', (until, days) => expect(daysLeft(until, Date.parse('2026-11-26T10:00:00Z'))).toBe(days))
})

it('no recovery code is shown as nothing', () => expect(showRecoveryCode('')).toBe(''))
