/** Who needs a second factor, and how a recovery code is read. */
import { describe, expect, it } from 'vitest'
import { needsSecondFactor, readRecoveryCode, showRecoveryCode } from './second-factors.rules.ts'

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
    ['k3m9p-2xw7t', 'k3m9p2xw7t'],
    [' K3M9P 2XW7T ', 'k3m9p2xw7t'],
    ['OIL01-oil01', '0110101101'],
    ['k3m9p-2xw7', null],
    ['k3m9p-2xw7t0', null],
    ['k3m9u-2xw7t', null],
    ['', null],
  ])('%j is read as %j', (typed, read) => expect(readRecoveryCode(typed)).toBe(read))

  it('is shown in two groups', () => expect(showRecoveryCode('k3m9p2xw7t')).toBe('k3m9p-2xw7t'))
})
