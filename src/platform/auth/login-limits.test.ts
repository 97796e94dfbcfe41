/** Blocks of addresses, and the bounded memory of the limits of signing in. */
import { describe, expect, it } from 'vitest'
import { blockOf, createLoginLimits, createPinLimits } from './login-limits.ts'

it.each([
  ['203.0.113.9', '203.0.113'],
  ['2001:db8:7:1::9', '2001:db8:7'],
  ['2001:db8:0007:ffff:1:2:3:4', '2001:db8:7'],
  ['2001:db8::9', '2001:db8:0'],
  ['::1', '0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0'],
  ['2001::db8:7:0:0:1:2', '2001:0:db8'],
  ['1:2::3:4:5:6:7', '1:2:0'],
  ['::2:3:4:5:6:7:8', '0:2:3'],
  ['2001:db8:7::', '2001:db8:7'],
  ['::', '0:0:0'],
  ['2001:DB8:A:b:c:d:e:f', '2001:db8:a'],
])('the block of %s is %s', (address, block) => expect(blockOf(address)).toBe(block))

it('forgets the oldest failures when very many accounts fail, and keeps the latest', () => {
  const limits = createLoginLimits()
  const at = new Date()
  const fail = (account: string, address: string) =>
    limits.begin({ accounts: [account], address, familiar: [account], addressInUse: true }, at)
  for (let i = 0; i < 10; i++) fail('first', '192.0.2.1')
  expect(fail('first', '192.0.2.1')).toBe(15)
  for (let i = 0; i < 10; i++) fail('late', '192.0.2.1')
  for (let i = 0; i < 49_999; i++) fail(`account ${i}`, '192.0.2.1')
  expect(fail('late', '192.0.2.1')).toBe(15)
  expect(fail('first', '192.0.2.1')).toBe(0)
})

it('limits the guesses of a block of addresses together, except at addresses in use', () => {
  const limits = createLoginLimits()
  const guess = (i: number, address: string, addressInUse = false) =>
    limits.begin({ accounts: [`name ${i}`], address, familiar: [], addressInUse }, new Date())
  const delays = Array.from({ length: 150 }, (_, i) => guess(i, `203.0.113.${i}`))
  expect(delays.filter(delay => delay === 0)).toHaveLength(100)
  expect(guess(150, '203.0.114.1')).toBe(0)
  expect(guess(151, '203.0.113.200', true)).toBe(0)
})

const minute = 60_000
const begun = Date.parse('2026-11-26T10:00:00Z')
/** Someone who signs in where they have signed in before. */
const known = (account: string) => ({ accounts: [account], address: '192.0.2.1', familiar: [account], addressInUse: true })

describe('failed sign-ins with one account', () => {
  it('wait from the eleventh on, twice as long each time, a quarter of an hour at most', () => {
    const limits = createLoginLimits()
    let at = begun
    const waits = Array.from({ length: 18 }, () => {
      const wait = limits.begin(known('kim'), new Date(at))
      // What waits is not counted: it is tried again when its time has come.
      if (wait > 0) expect(limits.begin(known('kim'), new Date(at + wait * 1_000 - 1))).toBe(1)
      at += wait * 1_000
      if (wait > 0) expect(limits.begin(known('kim'), new Date(at))).toBe(0)
      return wait
    })
    expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 15, 30, 60, 120, 240, 480, 900, 900])
  })

  it('are forgotten an hour after the last one', () => {
    const limits = createLoginLimits()
    for (let i = 0; i < 17; i++) limits.begin(known('kim'), new Date(begun + i * 20 * minute))
    const last = begun + 16 * 20 * minute
    expect(limits.begin(known('kim'), new Date(last + 5 * minute))).toBe(600)
    expect(limits.begin(known('kim'), new Date(last + 60 * minute))).toBe(0)
    // The count has begun anew.
    for (let i = 0; i < 9; i++) expect(limits.begin(known('kim'), new Date(last + 61 * minute))).toBe(0)
    expect(limits.begin(known('kim'), new Date(last + 61 * minute))).toBe(15)
  })

  it('are forgotten when it signs in', () => {
    const limits = createLoginLimits()
    for (let i = 0; i < 10; i++) limits.begin(known('kim'), new Date(begun))
    limits.succeed(known('kim'), 'kim')
    expect(limits.begin(known('kim'), new Date(begun))).toBe(0)
  })

  it('elsewhere do not keep out those who sign in at their own place', () => {
    const limits = createLoginLimits()
    const elsewhere = { accounts: ['kim'], address: '203.0.113.5', familiar: [], addressInUse: false }
    for (let i = 0; i < 10; i++) limits.begin(elsewhere, new Date(begun))
    expect(limits.begin(elsewhere, new Date(begun))).toBe(15)
    expect(limits.begin(known('kim'), new Date(begun))).toBe(0)
  })
})

describe('failed sign-ins of one address', () => {
  const at = (n: number, addressInUse: boolean) => ({ accounts: [`name ${n}`], address: '203.0.113.5', familiar: [], addressInUse })

  it('wait from the thirty-first on', () => {
    const limits = createLoginLimits()
    for (let i = 0; i < 30; i++) expect(limits.begin(at(i, false), new Date(begun))).toBe(0)
    expect(limits.begin(at(30, false), new Date(begun))).toBe(15)
  })

  it('wait five seconds at most where others sign in', () => {
    const limits = createLoginLimits()
    for (let i = 0; i < 30; i++) expect(limits.begin(at(i, true), new Date(begun))).toBe(0)
    expect(limits.begin(at(30, true), new Date(begun))).toBe(5)
  })

  it('are not those of people who signed in', () => {
    const limits = createLoginLimits()
    for (let i = 0; i < 100; i++) {
      expect(limits.begin(at(i, false), new Date(begun))).toBe(0)
      limits.succeed(at(i, false), `name ${i}`)
    }
    expect(limits.begin(at(100, false), new Date(begun))).toBe(0)
  })
})

it('wrong PINs wait from the sixth on, half an hour at most, until one is right', () => {
  const limits = createPinLimits()
  for (let i = 0; i < 5; i++) expect(limits.begin('kim', new Date(begun))).toBe(0)
  expect(limits.begin('kim', new Date(begun))).toBe(15)
  expect(limits.begin('robin', new Date(begun))).toBe(0)
  let at = begun + 15_000
  const waits: number[] = []
  for (let i = 0; i < 8; i++) {
    expect(limits.begin('kim', new Date(at))).toBe(0)
    waits.push(limits.begin('kim', new Date(at)))
    at += (waits.at(-1) ?? 0) * 1_000
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1_800, 1_800])
  limits.succeed('kim')
  expect(limits.begin('kim', new Date(at))).toBe(0)
  expect(limits.begin('kim', new Date(at))).toBe(0)
})
