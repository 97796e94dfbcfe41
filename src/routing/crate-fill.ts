/** One crate filled piece by piece: where a piece may lie, and whether enough of it is supported. */
import type { Size } from './crates.ts'

export interface Piece {
  readonly of: string | number
  readonly weight: number
  readonly turns: readonly Size[]
}

interface Placed {
  readonly piece: Piece
  readonly at: [number, number, number]
  readonly size: [number, number, number]
}

/** The ways in which a piece may lie, each once. */
export function turnsOf([w, l, d]: Size, keepFlat: boolean): Size[] {
  const all: Size[] = keepFlat
    ? [
        [w, l, d],
        [l, w, d],
      ]
    : [
        [w, l, d],
        [l, w, d],
        [w, d, l],
        [d, w, l],
        [l, d, w],
        [d, l, w],
      ]
  return all.filter((turn, index) => all.findIndex(other => other.every((side, axis) => side === turn[axis])) === index)
}

/** Each piece in turn at the lowest place where it fits. What does not fit is the rest. */
export function fillCrate(inner: Size, maxWeight: number, pieces: readonly Piece[]): { placed: Placed[]; rest: Piece[] } {
  const placed: Placed[] = []
  const rest: Piece[] = []
  let weight = 0
  for (const piece of pieces) {
    const place = weight + piece.weight <= maxWeight ? bestPlace(inner, placed, piece) : null
    if (!place) rest.push(piece)
    else {
      placed.push(place)
      weight += piece.weight
    }
  }
  return { placed, rest }
}

function bestPlace(inner: Size, placed: readonly Placed[], piece: Piece): Placed | null {
  const along = ([0, 1, 2] as const).map(axis =>
    [...new Set([0, ...placed.map(({ at, size }) => at[axis] + size[axis])])].sort((a, b) => a - b),
  )
  for (const z of along[2]!)
    for (const y of along[1]!)
      for (const x of along[0]!)
        for (const [w, l, d] of piece.turns) {
          if (x + w > inner[0] || y + l > inner[1] || z + d > inner[2]) continue
          let support = z === 0 ? w * l : 0
          let free = true
          for (const { at, size } of placed) {
            const wide = Math.min(x + w, at[0] + size[0]) - Math.max(x, at[0])
            const long = Math.min(y + l, at[1] + size[1]) - Math.max(y, at[1])
            if (wide <= 0 || long <= 0) continue
            if (z < at[2] + size[2] && at[2] < z + d) free = false
            if (at[2] + size[2] === z) support += wide * long
          }
          if (free && support >= 0.6 * w * l) return { piece, at: [x, y, z], size: [w, l, d] }
        }
  return null
}
