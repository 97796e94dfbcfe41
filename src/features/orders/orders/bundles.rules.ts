/** Bundles of an order: a line that only names what its parts are sold as, and the lines that are packed in its place. */

interface BundleLine {
  order_item_id: number
  part_of: number | null
  qty: number
  cancelled_qty: number
  packed_qty: number
}

/** Lines with the parts of each bundle behind it. */
export function bundlesFirst<Line extends BundleLine>(lines: readonly Line[]): Line[] {
  const ids = new Set(lines.map(line => line.order_item_id))
  const isPart = (line: Line) => line.part_of !== null && ids.has(line.part_of)
  return lines.filter(line => !isPart(line)).flatMap(line => [line, ...partsOf(lines, line)])
}

export const partsOf = <Line extends BundleLine>(lines: readonly Line[], bundle: BundleLine): Line[] =>
  lines.filter(line => line.part_of === bundle.order_item_id)

const wanted = ({ qty, cancelled_qty }: BundleLine) => qty - cancelled_qty

/** Bundles of which every part is packed. A part that was cancelled is not waited for. */
export function packedBundles(bundle: BundleLine, parts: readonly BundleLine[]): number {
  const counts = parts.filter(part => wanted(part) > 0).map(part => Math.floor((part.packed_qty * wanted(bundle)) / wanted(part)))
  return counts.length === 0 ? 0 : Math.min(...counts)
}
