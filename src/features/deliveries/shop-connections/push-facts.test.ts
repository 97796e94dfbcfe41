/** What of a parcel a shop is informed of, where the company makes bundles of what the shop sells as one. */
import { expect, it } from 'vitest'
import { linesForShop } from './push-facts.queries.ts'

type Line = Parameters<typeof linesForShop>[0][number]
/** A kit of one camera and two lenses. */
const part = (sku: 'CAM' | 'LENS', qty: number, kit = '1'): Line => ({
  external_id: `${kit}:part:${sku}`,
  sku,
  qty,
  bundle: { external_id: kit, sku: 'KIT', each: sku === 'CAM' ? 1 : 2 },
})
const mug: Line = { external_id: '9', sku: 'MUG', qty: 3, bundle: null }
const kits = (qty: number, external_id = '1') => ({ external_id, sku: 'KIT', qty })
const mugs = { external_id: '9', sku: 'MUG', qty: 3 }

it.each<[string, Line[], Line[], object[]]>([
  ['all parts of two bundles', [part('CAM', 2), part('LENS', 4)], [], [kits(2)]],
  ['the first part of a bundle', [part('LENS', 1)], [], [kits(1)]],
  ['what is left of a bundle that began before', [part('CAM', 1), part('LENS', 1)], [part('LENS', 1)], []],
  ['what is left of one bundle and a second one', [part('CAM', 2), part('LENS', 3)], [part('LENS', 1)], [kits(1)]],
  ['parts beside other items', [mug, part('CAM', 1)], [], [mugs, kits(1)]],
  ['parts of two lines that sell the same bundle', [part('CAM', 1), part('CAM', 1, '2')], [], [kits(1), kits(1, '2')]],
  ['what no shop knows', [{ ...mug, external_id: null }], [], []],
])('names the bundles of the shop for %s', (_, lines, before, named) => {
  expect(linesForShop(lines, before)).toEqual(named)
})
