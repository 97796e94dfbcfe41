/** Addresses and the networks that they lie in. */
import { expect, it } from 'vitest'
import { inNetworks } from './networks.ts'

it.each([
  [['10.1.0.0/16'], '10.1.255.1', true],
  [['10.1.0.0/16'], '10.2.0.1', false],
  [['10.1.0.0/16'], '::ffff:10.1.0.7', true],
  [['10.1.0.0/16'], '::FFFF:10.1.0.7', true],
  [['192.0.2.4'], '192.0.2.4', true],
  [['192.0.2.4'], '192.0.2.5', false],
  [['2001:db8::/32'], '2001:db8:1::5', true],
  [['2001:db8::/32'], '2001:db9::5', false],
  [['2001:db8::1'], '2001:db8::1', true],
  [['2001:db8::1'], '2001:db8::2', false],
  [['10.1.0.0/16'], '::ffff:a01:7', true],
  [['10.1.0.0/16'], '::ffff:10.2.0.1', false],
  [['10.1.0.0/16'], 'unknown', false],
  [['::ffff:a00:0/104'], '::ffff:10.1.0.2', true],
  [['::ffff:a00:0/104'], '::ffff:a01:2', true],
  [['192.0.2.4', '10.0.0.0/8', '2001:db8::/32'], '2001:db8::9', true],
  [['192.0.2.4', '10.0.0.0/8'], '11.0.0.1', false],
  [[], '10.0.0.1', false],
])('of %j, %s is inside: %s', (networks, ip, inside) => {
  expect(inNetworks(networks, ip)).toBe(inside)
})
