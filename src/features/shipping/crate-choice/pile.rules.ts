/** A packed crate seen from above at an angle: in which order its pieces are drawn, and where. */

export type Three = readonly [x: number, y: number, z: number]
export interface Piece {
  at: Three
  size: Three
}

/** The viewer looks along the three axes towards the origin, so what lies further along an axis is in front. */
const isBehind = (one: Piece, other: Piece): boolean => one.at.some((start, axis) => start + (one.size[axis] ?? 0) <= (other.at[axis] ?? 0))

/** Indexes of the pieces from the one furthest back. Of pieces that neither hides, the first stays first. */
export function drawingOrder(pieces: readonly Piece[]): number[] {
  const order: number[] = []
  const seen = new Set<number>()
  const visit = (index: number, piece: Piece) => {
    if (seen.has(index)) return
    seen.add(index)
    for (const [other, behind] of pieces.entries())
      if (!seen.has(other) && isBehind(behind, piece) && !isBehind(piece, behind)) visit(other, behind)
    order.push(index)
  }
  for (const [index, piece] of pieces.entries()) visit(index, piece)
  return order
}

const cos = Math.cos(Math.PI / 6)
/** On paper, in millimetres; y grows downwards. */
export const onPaper = ([x, y, z]: Three): readonly [number, number] => [(x - y) * cos, (x + y) / 2 - z]

/** The three faces that the viewer sees, as points of an SVG polygon. */
export function facesOf({ at: [x, y, z], size: [w, l, d] }: Piece): Record<'top' | 'left' | 'right', string> {
  const points = (...corners: Three[]) =>
    corners
      .map(corner =>
        onPaper(corner)
          .map(value => value.toFixed(1))
          .join(','),
      )
      .join(' ')
  const [xx, yy, zz] = [x + w, y + l, z + d]
  return {
    top: points([x, y, zz], [xx, y, zz], [xx, yy, zz], [x, yy, zz]),
    left: points([x, yy, z], [xx, yy, z], [xx, yy, zz], [x, yy, zz]),
    right: points([xx, y, z], [xx, yy, z], [xx, yy, zz], [xx, y, zz]),
  }
}

/** Steps in which a person packs: pieces that stand at one height are one layer. */
export function layersOf(pieces: readonly Piece[]): number[] {
  const heights = [...new Set(pieces.map(({ at }) => at[2]))].toSorted((a, b) => a - b)
  return heights.map(height => pieces.filter(({ at }) => at[2] <= height).length)
}
