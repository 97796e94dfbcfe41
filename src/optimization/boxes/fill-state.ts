/** A box that is partly filled: what lies in it, what is left, and the maximal empty spaces. */
import { Tops } from './block-support.ts'

/** Maximum number of spaces kept; the latest beyond it are dropped. */
const mostSpaces = 600

export class FillState {
  /** Near and far corner of each maximal empty space. */
  readonly spaces: Int32Array
  spaceCount = 0
  readonly left: Int32Array
  /** Block and near corner of each placement. */
  readonly placed: Int32Array
  /** Near and far corners of the placements. */
  readonly boxes: Int32Array
  count = 0
  volume = 0
  weight = 0
  readonly tops: Tops
  /** Independent of the order of the placements. */
  mark = 0
  /** Blocks of which enough pieces are left. */
  readonly open: Int32Array
  openCount = 0
  /** The volume after a greedy completion. */
  value = 0
  constructor(kinds: number, pieces: number, blocks: number) {
    this.spaces = new Int32Array(Math.min(mostSpaces, 40 + 20 * pieces) * 6)
    this.left = new Int32Array(kinds)
    this.placed = new Int32Array(4 * pieces)
    this.boxes = new Int32Array(6 * pieces)
    this.tops = new Tops(pieces)
    this.open = new Int32Array(blocks)
  }
  copy(other: FillState): this {
    this.spaces.set(other.spaces.subarray(0, other.spaceCount * 6))
    this.spaceCount = other.spaceCount
    this.left.set(other.left)
    this.placed.set(other.placed.subarray(0, other.count * 4))
    this.boxes.set(other.boxes.subarray(0, other.count * 6))
    this.count = other.count
    this.volume = other.volume
    this.weight = other.weight
    this.tops.copy(other.tops)
    this.mark = other.mark
    this.open.set(other.open.subarray(0, other.openCount))
    this.openCount = other.openCount
    this.value = other.value
    return this
  }
}

/** Parts of the spaces that a placement cuts, before those inside others go. */
const pieced = new Int32Array(6 * 6 * mostSpaces)

/**
 * The maximal empty spaces after the latest placement. Parts with a side below `smallest` go, and those below the placement unless `under`:
 * nothing is pushed under what already lies.
 */
export function carve(state: FillState, smallest: number, under: boolean): void {
  const { spaces, boxes, count } = state
  const latest = (count - 1) * 6
  const x0 = boxes[latest] ?? 0
  const y0 = boxes[latest + 1] ?? 0
  const z0 = boxes[latest + 2] ?? 0
  const x1 = boxes[latest + 3] ?? 0
  const y1 = boxes[latest + 4] ?? 0
  const z1 = boxes[latest + 5] ?? 0
  let kept = 0
  let cut = 0
  const all = state.spaceCount * 6
  for (let o = 0; o < all; o += 6) {
    const ax = spaces[o] ?? 0
    const ay = spaces[o + 1] ?? 0
    const az = spaces[o + 2] ?? 0
    const bx = spaces[o + 3] ?? 0
    const by = spaces[o + 4] ?? 0
    const bz = spaces[o + 5] ?? 0
    if (ax >= x1 || x0 >= bx || ay >= y1 || y0 >= by || az >= z1 || z0 >= bz) {
      kept = kept === o ? kept + 6 : put(spaces, kept, ax, ay, az, bx, by, bz)
      continue
    }
    if (x0 - ax >= smallest) cut = put(pieced, cut, ax, ay, az, x0, by, bz)
    if (bx - x1 >= smallest) cut = put(pieced, cut, x1, ay, az, bx, by, bz)
    if (y0 - ay >= smallest) cut = put(pieced, cut, ax, ay, az, bx, y0, bz)
    if (by - y1 >= smallest) cut = put(pieced, cut, ax, y1, az, bx, by, bz)
    if (bz - z1 >= smallest) cut = put(pieced, cut, ax, ay, z1, bx, by, bz)
    if (under && z0 - az >= smallest) cut = put(pieced, cut, ax, ay, az, bx, by, z0)
  }
  const whole = kept
  for (let p = 0; p < cut; p += 6) {
    const ax = pieced[p] ?? 0
    const ay = pieced[p + 1] ?? 0
    const az = pieced[p + 2] ?? 0
    const bx = pieced[p + 3] ?? 0
    const by = pieced[p + 4] ?? 0
    const bz = pieced[p + 5] ?? 0
    let inside = false
    for (let o = 0; o < whole; o += 6)
      if (
        (spaces[o] ?? 0) <= ax &&
        (spaces[o + 3] ?? 0) >= bx &&
        (spaces[o + 1] ?? 0) <= ay &&
        (spaces[o + 4] ?? 0) >= by &&
        (spaces[o + 2] ?? 0) <= az &&
        (spaces[o + 5] ?? 0) >= bz
      ) {
        inside = true
        break
      }
    for (let o = 0; o < cut && !inside; o += 6)
      if (
        o !== p &&
        (pieced[o] ?? 0) <= ax &&
        (pieced[o + 3] ?? 0) >= bx &&
        (pieced[o + 1] ?? 0) <= ay &&
        (pieced[o + 4] ?? 0) >= by &&
        (pieced[o + 2] ?? 0) <= az &&
        (pieced[o + 5] ?? 0) >= bz
      )
        // Of two equal ones the first stays.
        inside =
          o < p ||
          (pieced[o] ?? 0) < ax ||
          (pieced[o + 3] ?? 0) > bx ||
          (pieced[o + 1] ?? 0) < ay ||
          (pieced[o + 4] ?? 0) > by ||
          (pieced[o + 2] ?? 0) < az ||
          (pieced[o + 5] ?? 0) > bz
    if (inside || kept === spaces.length) continue
    kept = put(spaces, kept, ax, ay, az, bx, by, bz)
  }
  state.spaceCount = kept / 6
}

/** Writes the corners of a space, and answers where the next one goes. */
function put(into: Int32Array, at: number, ax: number, ay: number, az: number, bx: number, by: number, bz: number): number {
  into[at] = ax
  into[at + 1] = ay
  into[at + 2] = az
  into[at + 3] = bx
  into[at + 4] = by
  into[at + 5] = bz
  return at + 6
}
