/** Blocks of addresses, and the bounded memory of the limits of signing in. */
import { expect, it } from 'vitest'
import { blockOf, createLoginLimits } from './login-limits.ts'

it.each([
  ['203.0.113.9', '203.0.113'],
  ['2001:db8:7:1::9', '2001:db8:7'],
  ['2001:db8:0007:ffff:1:2:3:4', '2001:db8:7'],
  ['2001:db8::9', '2001:db8:0'],
  ['::1', '0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0'],
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
