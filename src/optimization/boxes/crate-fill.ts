/** Fills one container piece by piece: maintains the maximal empty spaces and puts each piece into a corner of one where it is supported. */

import { elementAt } from '#optimization/arrays/element-at.ts'

export type Size = readonly [w: number, l: number, d: number]

/** Identical pieces. */
export interface Kind {
  /** The allowed rotations of such a piece, without repeats. */
  readonly turns: readonly Size[]
  readonly weight: number
  readonly volume: number
}

export interface Container {
  readonly inner: Size
  /** Maximum weight of the contents. */
  readonly carries: number
}

export interface Placed {
  readonly kind: number
  readonly at: [x: number, y: number, z: number]
  readonly size: [w: number, l: number, d: number]
}

/** How the place of a piece is chosen: as low as possible, with the least free space beside it, or with the lowest top. */
export const rules = ['low', 'tight', 'flat'] as const
export type Rule = (typeof rules)[number]

/** Share of a base that must stand on the floor or on other pieces. */
export const leastSupport = 0.6

export function turnsOf([w, l, d]: Size, keepFlat: boolean): Size[] {
  const standing: Size[] = [
    [w, l, d],
    [l, w, d],
  ]
  const lying: Size[] = [
    [w, d, l],
    [d, w, l],
    [l, d, w],
    [d, l, w],
  ]
  const all = keepFlat ? standing : [...standing, ...lying]
  return all.filter((turn, index) => all.findIndex(other => other.every((side, axis) => side === turn[axis])) === index)
}

export function fitsAlone(container: Container, kind: Kind): boolean {
  return kind.weight <= container.carries && kind.turns.some(turn => turn.every((side, axis) => side <= (container.inner[axis] ?? 0)))
}

export interface Filler {
  /** Puts each piece in turn at its best place; tries pieces without one once more at the end. Returns the pieces in the order in which they lie. */
  fill(container: Container, order: ArrayLike<number>, rule: Rule): Placed[]
  /** Tries places and orders until all pieces are packed or the steps are used up. */
  search(container: Container, counts: ArrayLike<number>, steps: number): Placed[] | null
}

/** Maximum number of spaces kept; the newest beyond it are dropped. */
const mostSpaces = 1_000

export function newFiller(kinds: readonly Kind[], pieces: number): Filler {
  const capacity = Math.min(mostSpaces, 40 + 20 * pieces) * 6
  // A space is x, y, z of its near and of its far corner.
  const levels: { spaces: Float64Array; count: number }[] = []
  const level = (index: number) => (levels[index] ??= { spaces: new Float64Array(capacity), count: 0 })
  const xs = new Float64Array(pieces)
  const ys = new Float64Array(pieces)
  const zs = new Float64Array(pieces)
  const ws = new Float64Array(pieces)
  const ls = new Float64Array(pieces)
  const ds = new Float64Array(pieces)
  const which = new Int32Array(pieces)
  let placed = 0
  const smallest = kinds.reduce((least, { turns }) => Math.min(least, ...elementAt(turns, 0)), Number.POSITIVE_INFINITY)

  function empty({ inner: [w, l, d] }: Container) {
    placed = 0
    const first = level(0)
    first.spaces.set([0, 0, 0, w, l, d])
    first.count = 1
  }

  function put(kind: number, x: number, y: number, z: number, [w, l, d]: Size) {
    which[placed] = kind
    xs[placed] = x
    ys[placed] = y
    zs[placed] = z
    ws[placed] = w
    ls[placed] = l
    ds[placed] = d
    placed++
  }

  /** The spaces that are left after the latest piece. */
  function carve(from: number, to: number) {
    const { spaces: old, count } = level(from)
    const next = level(to)
    const { spaces } = next
    const piece = placed - 1
    const x0 = xs[piece] ?? 0
    const y0 = ys[piece] ?? 0
    const z0 = zs[piece] ?? 0
    const x1 = x0 + (ws[piece] ?? 0)
    const y1 = y0 + (ls[piece] ?? 0)
    const z1 = z0 + (ds[piece] ?? 0)
    const cuts = (o: number) =>
      (old[o] ?? 0) < x1 &&
      x0 < (old[o + 3] ?? 0) &&
      (old[o + 1] ?? 0) < y1 &&
      y0 < (old[o + 4] ?? 0) &&
      (old[o + 2] ?? 0) < z1 &&
      z0 < (old[o + 5] ?? 0)
    let kept = 0
    for (let o = 0; o < count * 6; o += 6)
      if (!cuts(o)) {
        for (let side = 0; side < 6; side++) spaces[kept + side] = old[o + side] ?? 0
        kept += 6
      }
    const whole = kept
    const add = (ax: number, ay: number, az: number, bx: number, by: number, bz: number) => {
      if (bx - ax < smallest || by - ay < smallest || bz - az < smallest) return
      for (let o = 0; o < kept; o += 6)
        if (
          (spaces[o] ?? 0) <= ax &&
          (spaces[o + 1] ?? 0) <= ay &&
          (spaces[o + 2] ?? 0) <= az &&
          (spaces[o + 3] ?? 0) >= bx &&
          (spaces[o + 4] ?? 0) >= by &&
          (spaces[o + 5] ?? 0) >= bz
        )
          return
      for (let o = whole; o < kept; o += 6)
        if (
          (spaces[o] ?? 0) >= ax &&
          (spaces[o + 1] ?? 0) >= ay &&
          (spaces[o + 2] ?? 0) >= az &&
          (spaces[o + 3] ?? 0) <= bx &&
          (spaces[o + 4] ?? 0) <= by &&
          (spaces[o + 5] ?? 0) <= bz
        ) {
          kept -= 6
          spaces.copyWithin(o, kept, kept + 6)
          o -= 6
        }
      if (kept === spaces.length) return
      spaces[kept] = ax
      spaces[kept + 1] = ay
      spaces[kept + 2] = az
      spaces[kept + 3] = bx
      spaces[kept + 4] = by
      spaces[kept + 5] = bz
      kept += 6
    }
    for (let o = 0; o < count * 6; o += 6) {
      if (!cuts(o)) continue
      const ax = old[o] ?? 0
      const ay = old[o + 1] ?? 0
      const az = old[o + 2] ?? 0
      const bx = old[o + 3] ?? 0
      const by = old[o + 4] ?? 0
      const bz = old[o + 5] ?? 0
      add(ax, ay, z1, bx, by, bz)
      add(ax, ay, az, x0, by, bz)
      add(x1, ay, az, bx, by, bz)
      add(ax, ay, az, bx, y0, bz)
      add(ax, y1, az, bx, by, bz)
      add(ax, ay, az, bx, by, z0)
    }
    next.count = kept / 6
  }

  function supported(x: number, y: number, z: number, w: number, l: number): boolean {
    if (z === 0) return true
    let area = 0
    for (let piece = 0; piece < placed; piece++) {
      if ((zs[piece] ?? 0) + (ds[piece] ?? 0) !== z) continue
      const wide = Math.min(x + w, (xs[piece] ?? 0) + (ws[piece] ?? 0)) - Math.max(x, xs[piece] ?? 0)
      const long = Math.min(y + l, (ys[piece] ?? 0) + (ls[piece] ?? 0)) - Math.max(y, ys[piece] ?? 0)
      if (wide > 0 && long > 0) area += wide * long
    }
    return area >= leastSupport * w * l
  }

  /** Puts the piece at its best place, or returns false without one. */
  function putBest(at: number, kind: number, [W, L, D]: Size, rule: Rule): boolean {
    const { spaces, count } = level(at)
    let best: readonly [number, number, number, Size] | undefined
    let bestFirst = Number.POSITIVE_INFINITY
    let bestThen = Number.POSITIVE_INFINITY
    for (const turn of elementAt(kinds, kind).turns) {
      const [w, l, d] = turn
      for (let o = 0; o < count * 6; o += 6) {
        const ax = spaces[o] ?? 0
        const ay = spaces[o + 1] ?? 0
        const z = spaces[o + 2] ?? 0
        const besideX = (spaces[o + 3] ?? 0) - ax - w
        const besideY = (spaces[o + 4] ?? 0) - ay - l
        const above = (spaces[o + 5] ?? 0) - z - d
        if (besideX < 0 || besideY < 0 || above < 0) continue
        const tight = Math.min(besideX / W, besideY / L, above / D)
        const first = rule === 'low' ? z / D : rule === 'flat' ? (z + d) / D : tight
        if (first > bestFirst) continue
        for (let corner = 0; corner < 4; corner++) {
          if ((corner & 1 && besideX === 0) || (corner & 2 && besideY === 0)) continue
          const x = corner & 1 ? (spaces[o + 3] ?? 0) - w : ax
          const y = corner & 2 ? (spaces[o + 4] ?? 0) - l : ay
          const then = (Math.min(x, W - x - w) / W + Math.min(y, L - y - l) / L) * 2 + (rule === 'tight' ? z / D : tight) + above / D / 16
          if (first === bestFirst && then >= bestThen) continue
          if (!supported(x, y, z, w, l)) continue
          bestFirst = first
          bestThen = then
          best = [x, y, z, turn]
        }
      }
    }
    if (!best) return false
    put(kind, ...best)
    return true
  }

  /** Spaces only shrink: a piece that is too large for all of them now never fits later. */
  function hasSpace(at: number, kind: number): boolean {
    const { spaces, count } = level(at)
    for (const [w, l, d] of elementAt(kinds, kind).turns)
      for (let o = 0; o < count * 6; o += 6)
        if (
          (spaces[o + 3] ?? 0) - (spaces[o] ?? 0) >= w &&
          (spaces[o + 4] ?? 0) - (spaces[o + 1] ?? 0) >= l &&
          (spaces[o + 5] ?? 0) - (spaces[o + 2] ?? 0) >= d
        )
          return true
    return false
  }

  const result = () =>
    Array.from(
      { length: placed },
      (_, piece): Placed => ({
        kind: which[piece] ?? 0,
        at: [xs[piece] ?? 0, ys[piece] ?? 0, zs[piece] ?? 0],
        size: [ws[piece] ?? 0, ls[piece] ?? 0, ds[piece] ?? 0],
      }),
    )

  function fill(container: Container, order: ArrayLike<number>, rule: Rule): Placed[] {
    empty(container)
    let now = 0
    let weight = 0
    let volume = container.inner[0] * container.inner[1] * container.inner[2]
    let left: ArrayLike<number> = order
    // A piece without support may fit on one that came later.
    for (let pass = 0; pass < 2 && left.length > 0; pass++) {
      const rest: number[] = []
      const refused = new Set<number>()
      for (let index = 0; index < left.length; index++) {
        const kind = left[index]!
        const { weight: own, volume: wanted } = elementAt(kinds, kind)
        if (refused.has(kind) || weight + own > container.carries || wanted > volume || !putBest(now, kind, container.inner, rule)) {
          refused.add(kind)
          rest.push(kind)
          continue
        }
        weight += own
        volume -= wanted
        carve(now, 1 - now)
        now = 1 - now
      }
      if (rest.length === left.length) break
      left = rest
    }
    return result()
  }

  function search(container: Container, counts: ArrayLike<number>, steps: number): Placed[] | null {
    empty(container)
    const left = Array.from(counts)
    const all = left.reduce((sum, count) => sum + count, 0)
    let taken = 0

    const deeper = (depth: number): boolean => {
      if (depth === all) return true
      const { spaces, count } = level(depth)
      for (let kind = 0; kind < left.length; kind++) {
        if (!left[kind]) continue
        const places: { x: number; y: number; z: number; turn: Size; worth: number }[] = []
        for (const turn of elementAt(kinds, kind).turns) {
          const [w, l, d] = turn
          for (let o = 0; o < count * 6; o += 6) {
            const besideX = (spaces[o + 3] ?? 0) - (spaces[o] ?? 0) - w
            const besideY = (spaces[o + 4] ?? 0) - (spaces[o + 1] ?? 0) - l
            const z = spaces[o + 2] ?? 0
            const above = (spaces[o + 5] ?? 0) - z - d
            if (besideX < 0 || besideY < 0 || above < 0) continue
            // In an empty container the four corners are equivalent by symmetry.
            for (let corner = 0; corner < (depth === 0 ? 1 : 4); corner++) {
              if ((corner & 1 && besideX === 0) || (corner & 2 && besideY === 0)) continue
              const x = corner & 1 ? (spaces[o + 3] ?? 0) - w : (spaces[o] ?? 0)
              const y = corner & 2 ? (spaces[o + 4] ?? 0) - l : (spaces[o + 1] ?? 0)
              if (places.some(place => place.turn === turn && place.x === x && place.y === y && place.z === z)) continue
              if (supported(x, y, z, w, l)) places.push({ x, y, z, turn, worth: Math.min(besideX, besideY, above) + z })
            }
          }
        }
        places.sort((a, b) => a.worth - b.worth)
        left[kind] = (left[kind] ?? 0) - 1
        for (const { x, y, z, turn } of places) {
          if (++taken > steps) return false
          put(kind, x, y, z, turn)
          if (depth + 1 === all) return true
          carve(depth, depth + 1)
          if (left.every((count, other) => count === 0 || hasSpace(depth + 1, other)) && deeper(depth + 1)) return true
          placed--
        }
        left[kind] = (left[kind] ?? 0) + 1
        if (taken > steps) return false
      }
      return false
    }
    return deeper(0) ? result() : null
  }

  return { fill, search }
}
