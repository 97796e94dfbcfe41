/** Bundles of an order: their order, and how many are complete. */
import { expect, it } from 'vitest'
import { bundlesFirst, packedBundles } from './bundles.rules.ts'

const line = (order_item_id: number, qty: number, packed_qty = 0, part_of: number | null = null, cancelled_qty = 0) => ({
  ...{ order_item_id, qty, packed_qty, part_of, cancelled_qty },
})

it.each([
  ['no part is packed', line(1, 2), [line(2, 2, 0, 1), line(3, 4, 0, 1)], 0],
  ['one part is missing in the second', line(1, 2), [line(2, 2, 2, 1), line(3, 4, 3, 1)], 1],
  ['everything is packed', line(1, 2), [line(2, 2, 2, 1), line(3, 4, 4, 1)], 2],
  ['a part of it was cancelled', line(1, 2), [line(2, 2, 2, 1), line(3, 4, 0, 1, 4)], 2],
  ['one of the bundles was cancelled', line(1, 2, 0, null, 1), [line(2, 2, 1, 1, 1), line(3, 4, 2, 1, 2)], 1],
  ['it has no parts', line(1, 2), [], 0],
])('counts bundles where %s', (_, bundle, parts, packed) => {
  expect(packedBundles(bundle, parts)).toBe(packed)
})

it('puts the parts of a bundle behind it, and leaves a part without its bundle where it is', () => {
  const lines = [line(1, 1, 0, 9), line(2, 1, 0, 4), line(3, 1), line(4, 1), line(5, 1, 0, 4)]
  expect(bundlesFirst(lines).map(one => one.order_item_id)).toEqual([1, 3, 4, 2, 5])
})
