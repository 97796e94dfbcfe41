/** Who needs a second factor, and how a recovery code is read. */
import { describe, expect, it } from 'vitest'
import { needsSecondFactor, readRecoveryCode, recoveryLength, recoveryLetters, showRecoveryCode } from './second-factors.rules.ts'

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
