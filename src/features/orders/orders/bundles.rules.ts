/** Bundles of an order: a line that only names what its parts are sold as, and the lines that are packed in its place. */
interface BundleLine {
  order_item_id: number
  part_of: number | null
  qty: number
  cancelled_qty: number
  packed_qty: number
  picked_qty: number
  requires_shipping: boolean
}

/** Between the id of a bundle's line and the product of a part that was added here: no shop knows that line. */
export const partMark = ':part:'

/** Lines with the parts of each bundle behind it. */
export function bundlesFirst<Line extends BundleLine>(lines: readonly Line[]): Line[] {
  const ids = new Set(lines.map(line => line.order_item_id))
  const isPart = (line: Line) => line.part_of !== null && ids.has(line.part_of)
  // A line that names itself or a part of its own is no part of what is shown above it.
  const withParts = (line: Line, depth: number): Line[] => [
    line,
    ...(depth > 0 ? partsOf(lines, line).flatMap(part => withParts(part, depth - 1)) : []),
  ]
  return lines.filter(line => !isPart(line)).flatMap(line => withParts(line, deepest))
}

/** A bundle of the shop, a part of it that is a bundle of the company, and what that consists of. */
const deepest = 2

export const partsOf = <Line extends Pick<BundleLine, 'order_item_id' | 'part_of'>>(
  lines: readonly Line[],
  bundle: Pick<BundleLine, 'order_item_id'>,
): Line[] => lines.filter(line => line.part_of === bundle.order_item_id)

const wanted = ({ qty, cancelled_qty }: BundleLine) => qty - cancelled_qty

/** Bundles of which every part is packed, or picked. A part that was cancelled is not waited for, and neither is one that is not sent. */
export function completeBundles(
  bundle: BundleLine,
  lines: readonly BundleLine[],
  of: 'packed_qty' | 'picked_qty',
  depth = deepest,
): number {
  const counts = partsOf(lines, bundle).flatMap(part => {
    if (wanted(part) <= 0) return []
    const nested = !part.requires_shipping && depth > 1 && partsOf(lines, part).length > 0
    if (!part.requires_shipping && !nested) return []
    const done = nested ? completeBundles(part, lines, of, depth - 1) : part[of]
    return [Math.floor((done * wanted(bundle)) / wanted(part))]
  })
  return counts.length === 0 ? 0 : Math.min(...counts)
}
