/** Who may give which right. */
import { describe, expect, it } from 'vitest'
import { holds, notTheirsToGive, standsAbove } from './permissions.rules.ts'

describe('a right is held', () => {
  it.each([
    [['parcels'], 'parcels', true],
    [['parcels_admin'], 'parcels', true],
    [['admin'], 'parcels', true],
    [['parcels'], 'parcels_admin', false],
    [['scan_admin'], 'parcels', false],
    [[], 'parcels', false],
  ] as const)('by those with %j, %s: %s', (held, right, expected) => {
    expect(holds([...held], right)).toBe(expected)
  })
})

describe('a change of rights', () => {
  it('gives only what the editor holds', () => {
    expect(notTheirsToGive(['parcels'], [], ['parcels', 'scan_admin'])).toEqual(['scan_admin'])
    expect(notTheirsToGive(['scan_admin', 'parcels'], [], ['parcels', 'scan_admin'])).toEqual([])
  })

  it('may leave what the other held before, and take it away', () => {
    expect(notTheirsToGive([], ['scan_admin'], ['scan_admin'])).toEqual([])
    expect(notTheirsToGive([], ['scan_admin'], [])).toEqual([])
  })

  it('is free for an admin', () => {
    expect(notTheirsToGive(['admin'], [], ['admin', 'scan_admin'])).toEqual([])
    expect(notTheirsToGive(['parcels_admin'], [], ['admin'])).toEqual(['admin'])
  })
})

it('a password is set by those who hold all that its owner holds', () => {
  expect(standsAbove(['admin'], ['parcels', 'scan_admin'])).toBe(true)
  expect(standsAbove(['parcels'], ['parcels', 'scan_admin'])).toBe(false)
  expect(standsAbove(['parcels_admin'], ['parcels'])).toBe(true)
  expect(standsAbove([], [])).toBe(true)
})
