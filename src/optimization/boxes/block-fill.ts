/**
 * Fills one box as full as possible: blocks of pieces go into the maximal empty spaces, each choice of a beam is completed greedily, and
 * the beam widens until the steps or the time are used up (Araya and Riff 2014; Araya, Guerrero and Nuñez 2017).
 */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { leafFields } from './block-support.ts'
import type { Placed, Size } from './crate-fill.ts'
import { type BlockKind, type Blocks, blocksOf } from './fill-blocks.ts'
import { carve, FillState } from './fill-state.ts'
import { reachOf } from './side-reach.ts'

export interface BoxToFill {
  readonly inner: Size
  /** Maximum weight of the contents. */
  readonly carries: number
  readonly kinds: readonly BlockKind[]
  /** Share of each piece's base that stands on the floor or on other pieces. */
  readonly support: number
  /** Blocks that may be placed in all: the same number gives the same answer on every machine. */
  readonly steps?: number | undefined
  /** Ends the search; what was found until then is the answer. Called before each block. */
  readonly late?: (() => boolean) | undefined
  /** Completes the box once, however late it is: the answer is then never empty without need. */
  readonly atLeastOnce?: boolean
  /** True when no further blocks are joined. */
  readonly enoughBlocks?: (() => boolean) | undefined
}

const defaultSteps = 10_000

/** Blocks whose faces are compared with what lies around them. */
const mostCompared = 40
/** When the time is over. */
const fewCompared = 4
/** So many times, where none of them is supported. */
const mostPasses = 4
/** Share of a side within which a neighbour counts as touching. */
const touching = 0.04
/** Share of a joined block that is filled. */
const leastFilled = 0.98
/** Widest beam: wider ones cost memory, and other weightings find more. */
const widest = 64

interface Weights {
  readonly contact: number
  readonly pieces: number
  readonly height: number
}

/** The first is the usual one; the others suit some boxes better. */
export const weightings: readonly Weights[] = [
  { contact: 4, pieces: 0.2, height: 1 },
  { contact: 4, pieces: 0.05, height: 1 },
  { contact: 2, pieces: 0.2, height: 1 },
  { contact: 8, pieces: 0.2, height: 1 },
  { contact: 4, pieces: 0.3, height: 0.3 },
  { contact: 4, pieces: 0.2, height: 3 },
  { contact: 6, pieces: 0.1, height: 1 },
  { contact: 2, pieces: 0.05, height: 2 },
]

export interface FilledBox {
  readonly placed: Placed[]
  readonly volume: number
}

export function fillBox({ inner, carries, kinds, support, steps, late, atLeastOnce = false, enoughBlocks }: BoxToFill): FilledBox {
  let stepsLeft = steps ?? (late ? Number.POSITIVE_INFINITY : defaultSteps)
  const ended = () => stepsLeft <= 0 || late?.() === true
  const pieces = kinds.reduce((sum, { count }) => sum + count, 0)
  const stand = { support, weights: Float64Array.from(kinds, kind => kind.weight), bears: Float64Array.from(kinds, kind => kind.bears) }
  const blocks = blocksOf(inner, kinds, carries, { leastFilled, stand, late: () => enoughBlocks?.() ?? false })
  const { sides, volume, weight, partsFrom, parts, leavesFrom, leaves } = blocks
  const standing = support > 0 || kinds.some(kind => kind.bears < Number.POSITIVE_INFINITY)
  const { sums: sumsX, perPart: perX } = reachOf(inner[0], kinds, 0)
  const { sums: sumsY, perPart: perY } = reachOf(inner[1], kinds, 1)
  const { sums: sumsZ, perPart: perZ } = reachOf(inner[2], kinds, 2)
  const [W, L, D] = inner
  const smallest = kinds.reduce(
    (least, { turns, count }) => (count > 0 ? Math.min(least, ...elementAt(turns, 0)) : least),
    Math.max(W, L, D),
  )

  const newState = () => new FillState(kinds.length, pieces, blocks.count)
  let bestVolume = 0
  let bestPieces = 0
  let bestPlaced = new Int32Array(0)
  const compared = new Int32Array(mostCompared)
  const worth = new Float64Array(mostCompared)
  /** Volume, corrected for the number of pieces. */
  const value = new Float64Array(blocks.count)
  let use = elementAt(weightings, 0)
  let comparing = mostCompared
  const begin = (weighting: Weights) => {
    use = weighting
    for (let block = 0; block < blocks.count; block++)
      value[block] = (volume[block] ?? 0) * (blocks.pieces[block] ?? 0) ** -weighting.pieces
  }

  /** The space whose corner is nearest to a corner of the box; of several, the largest. */
  function nextSpace(state: FillState): number {
    const { spaces, spaceCount } = state
    let best = -1
    let bestDistance = Number.POSITIVE_INFINITY
    let bestVolume = 0
    for (let o = 0; o < spaceCount * 6; o += 6) {
      const ax = spaces[o] ?? 0
      const ay = spaces[o + 1] ?? 0
      const az = spaces[o + 2] ?? 0
      const bx = spaces[o + 3] ?? 0
      const by = spaces[o + 4] ?? 0
      const distance = Math.min(ax, W - bx) + Math.min(ay, L - by) + az
      if (distance > bestDistance) continue
      const size = (bx - ax) * (by - ay) * ((spaces[o + 5] ?? 0) - az)
      if (distance === bestDistance && size <= bestVolume) continue
      best = o
      bestDistance = distance
      bestVolume = size
    }
    return best
  }

  /** Share of the faces that touch the box or a neighbour. */
  function contactOf(state: FillState, x: number, y: number, z: number, w: number, l: number, d: number): number {
    const { boxes, count } = state
    const nearX = w * touching
    const nearY = l * touching
    const nearZ = d * touching
    const X = x + w
    const Y = y + l
    const Z = z + d
    const sideX = l * d
    const sideY = w * d
    const sideZ = w * l
    let x0 = x <= nearX ? sideX : 0
    let x1 = W - X <= nearX ? sideX : 0
    let y0 = y <= nearY ? sideY : 0
    let y1 = L - Y <= nearY ? sideY : 0
    let z0 = z <= nearZ ? sideZ : 0
    let z1 = D - Z <= nearZ ? sideZ : 0
    for (let o = 0; o < count * 6; o += 6) {
      const ax = boxes[o] ?? 0
      const ay = boxes[o + 1] ?? 0
      const az = boxes[o + 2] ?? 0
      const bx = boxes[o + 3] ?? 0
      const by = boxes[o + 4] ?? 0
      const bz = boxes[o + 5] ?? 0
      const wide = Math.min(X, bx) - Math.max(x, ax)
      const long = Math.min(Y, by) - Math.max(y, ay)
      const high = Math.min(Z, bz) - Math.max(z, az)
      if (wide > 0) {
        if (long > 0) {
          if (high > 0) continue
          if (z >= bz && z - bz <= nearZ) z0 += wide * long
          else if (az >= Z && az - Z <= nearZ) z1 += wide * long
        } else if (high > 0) {
          if (y >= by && y - by <= nearY) y0 += wide * high
          else if (ay >= Y && ay - Y <= nearY) y1 += wide * high
        }
      } else if (long > 0 && high > 0) {
        if (x >= bx && x - bx <= nearX) x0 += long * high
        else if (ax >= X && ax - X <= nearX) x1 += long * high
      }
    }
    if (x0 > sideX) x0 = sideX
    if (x1 > sideX) x1 = sideX
    if (y0 > sideY) y0 = sideY
    if (y1 > sideY) y1 = sideY
    if (z0 > sideZ) z0 = sideZ
    if (z1 > sideZ) z1 = sideZ
    return (x0 + x1 + y0 + y1 + z0 + z1) / (2 * (sideX + sideY + sideZ))
  }

  const actBlocks = new Int32Array(widest)
  const actWorth = new Float64Array(widest)
  const corner = new Int32Array(widest * 3)

  function stands(state: FillState, block: number, x: number, y: number, z: number): boolean {
    return state.tops.carry(leaves, leavesFrom[block] ?? 0, leavesFrom[block + 1] ?? 0, x, y, z, stand)
  }

  /** The best ways to fill the next space, best first. Spaces that take nothing are removed. Returns how many there are. */
  function acts(state: FillState, most: number): number {
    while (state.spaceCount > 0) {
      const o = nextSpace(state)
      const { spaces, open, openCount } = state
      const ax = spaces[o] ?? 0
      const ay = spaces[o + 1] ?? 0
      const z = spaces[o + 2] ?? 0
      const bx = spaces[o + 3] ?? 0
      const by = spaces[o + 4] ?? 0
      const sx = bx - ax
      const sy = by - ay
      const sz = (spaces[o + 5] ?? 0) - z
      const nearX = ax <= W - bx
      const nearY = ay <= L - by
      const wholeX = sumsX[Math.trunc(sx * perX)] ?? 0
      const wholeY = sumsY[Math.trunc(sy * perY)] ?? 0
      const wholeZ = sumsZ[Math.trunc(sz * perZ)] ?? 0
      const whole = wholeX * wholeY * wholeZ
      const mayWeigh = carries - state.weight
      let found = 0
      // Where none of the best is supported, the next best are tried.
      let below = Number.POSITIVE_INFINITY
      for (let pass = 0; pass < mostPasses && found === 0 && whole > 0; pass++) {
        let count = 0
        let least = 0
        for (let i = 0; i < openCount; i++) {
          const block = open[i] ?? 0
          const w = sides[block * 3] ?? 0
          const l = sides[block * 3 + 1] ?? 0
          const d = sides[block * 3 + 2] ?? 0
          if (w > sx || l > sy || d > sz || (weight[block] ?? 0) > mayWeigh) continue
          const usedX = w + (sumsX[Math.trunc((sx - w) * perX)] ?? 0)
          const usedY = l + (sumsY[Math.trunc((sy - l) * perY)] ?? 0)
          const usedZ = d + (sumsZ[Math.trunc((sz - d) * perZ)] ?? 0)
          let g = ((value[block] ?? 0) * usedX * usedY * usedZ) / whole
          if (use.height !== 1) g *= (usedZ / wholeZ) ** (use.height - 1)
          if ((count === comparing && g <= least) || g >= below) continue
          let at = count < comparing ? count++ : comparing - 1
          while (at > 0 && (worth[at - 1] ?? 0) < g) {
            worth[at] = worth[at - 1] ?? 0
            compared[at] = compared[at - 1] ?? 0
            at--
          }
          worth[at] = g
          compared[at] = block
          least = worth[count - 1] ?? 0
        }
        for (let i = 0; i < count; i++) {
          const block = compared[i] ?? 0
          if (found === most && (worth[i] ?? 0) <= (actWorth[found - 1] ?? 0)) break
          const w = sides[block * 3] ?? 0
          const l = sides[block * 3 + 1] ?? 0
          const x = nearX ? ax : bx - w
          const y = nearY ? ay : by - l
          // Where the best were not supported, most of the next are not either.
          const supported = pass > 0 && standing && z > 0
          if (supported && !stands(state, block, x, y, z)) continue
          const contact = contactOf(state, x, y, z, w, l, sides[block * 3 + 2] ?? 0)
          const f = (worth[i] ?? 0) * contact ** use.contact
          if ((found === most && f <= (actWorth[found - 1] ?? 0)) || (standing && z > 0 && !supported && !stands(state, block, x, y, z)))
            continue
          let at = found < most ? found++ : most - 1
          while (at > 0 && (actWorth[at - 1] ?? 0) < f) {
            actWorth[at] = actWorth[at - 1] ?? 0
            actBlocks[at] = actBlocks[at - 1] ?? 0
            corner.copyWithin(at * 3, at * 3 - 3, at * 3)
            at--
          }
          actWorth[at] = f
          actBlocks[at] = block
          corner[at * 3] = x
          corner[at * 3 + 1] = y
          corner[at * 3 + 2] = z
        }
        if (count < comparing) break
        below = least
      }
      if (found > 0) return found
      state.spaceCount--
      spaces.copyWithin(o, state.spaceCount * 6, state.spaceCount * 6 + 6)
    }
    return 0
  }

  function put(state: FillState, block: number, x: number, y: number, z: number): void {
    stepsLeft--
    const { placed, boxes, count, left, open } = state
    placed[count * 4] = block
    placed[count * 4 + 1] = x
    placed[count * 4 + 2] = y
    placed[count * 4 + 3] = z
    const X = x + (sides[block * 3] ?? 0)
    const Y = y + (sides[block * 3 + 1] ?? 0)
    const Z = z + (sides[block * 3 + 2] ?? 0)
    boxes[count * 6] = x
    boxes[count * 6 + 1] = y
    boxes[count * 6 + 2] = z
    boxes[count * 6 + 3] = X
    boxes[count * 6 + 4] = Y
    boxes[count * 6 + 5] = Z
    state.count++
    state.volume += volume[block] ?? 0
    state.weight += weight[block] ?? 0
    state.mark =
      (state.mark + Math.imul(Math.imul(block + 1, 73_856_093) ^ Math.imul(x + 1, 19_349_663), Math.imul(y + 7, 83_492_791) ^ (z + 1))) | 0
    if (standing) state.tops.add(leaves, leavesFrom[block] ?? 0, leavesFrom[block + 1] ?? 0, x, y, z)
    for (let i = partsFrom[block] ?? 0; i < (partsFrom[block + 1] ?? 0); i++) {
      const kind = parts[i * 2] ?? 0
      left[kind] = (left[kind] ?? 0) - (parts[i * 2 + 1] ?? 0)
    }
    let kept = 0
    for (let i = 0; i < state.openCount; i++) {
      const other = open[i] ?? 0
      let enough = true
      for (let p = partsFrom[other] ?? 0; p < (partsFrom[other + 1] ?? 0); p++)
        if ((parts[p * 2 + 1] ?? 0) > (left[parts[p * 2] ?? 0] ?? 0)) {
          enough = false
          break
        }
      if (enough) open[kept++] = other
    }
    state.openCount = kept
    carve(state, smallest, support === 0)
  }

  /** Completes the box with the best block for each space. */
  function complete(state: FillState, always = false): number {
    for (;;) {
      if (ended()) {
        if (!always) break
        comparing = fewCompared
      }
      if (acts(state, 1) === 0) break
      put(state, actBlocks[0] ?? 0, corner[0] ?? 0, corner[1] ?? 0, corner[2] ?? 0)
    }
    comparing = mostCompared
    // Of two that hold as much, the one of fewer blocks is packed sooner.
    if (state.volume > bestVolume || (state.volume === bestVolume && state.count * 4 < bestPlaced.length)) {
      bestVolume = state.volume
      bestPieces = pieces - state.left.reduce((sum, count) => sum + count, 0)
      bestPlaced = state.placed.slice(0, state.count * 4)
    }
    return state.volume
  }

  const full = () => bestPieces === pieces || bestVolume >= W * L * D
  const empty = newState()
  empty.spaces.set([0, 0, 0, W, L, D])
  empty.spaceCount = 1
  empty.left.set(kinds.map(({ count }) => count))
  for (let block = 0; block < blocks.count; block++) empty.open[block] = block
  empty.openCount = blocks.count

  const scratch = newState()
  const pool: FillState[] = []
  const take = () => pool.pop() ?? newState()

  const tried: { weighting: Weights; reached: number }[] = []
  for (const weighting of weightings) {
    const always = atLeastOnce && tried.length === 0
    if (!always && (ended() || full())) break
    begin(weighting)
    tried.push({ weighting, reached: complete(scratch.copy(empty), always) })
  }
  tried.sort((a, b) => b.reached - a.reached)
  for (let width = 1; width <= widest; width *= 2)
    for (const { weighting, reached } of tried.slice(0, width === 1 || width === 2 ? 1 : width < widest ? 2 : tried.length)) {
      if (ended() || full()) break
      begin(weighting)
      beam(width, reached)
    }

  function beam(width: number, first: number): void {
    const start = take().copy(empty)
    start.value = first
    let now = [start]
    const ownBlocks = new Int32Array(widest)
    const ownCorners = new Int32Array(widest * 3)
    while (now.length > 0 && !ended()) {
      const next: FillState[] = []
      for (const state of now) {
        if (ended()) break
        const found = acts(state, Math.max(2, width))
        ownBlocks.set(actBlocks.subarray(0, found))
        ownCorners.set(corner.subarray(0, found * 3))
        for (let act = 0; act < found && !ended(); act++) {
          const child = take().copy(state)
          put(child, ownBlocks[act] ?? 0, ownCorners[act * 3] ?? 0, ownCorners[act * 3 + 1] ?? 0, ownCorners[act * 3 + 2] ?? 0)
          // The first is what the completion of its parent did.
          if (act > 0) child.value = complete(scratch.copy(child))
          if (next.some(other => other.mark === child.mark && other.volume === child.volume)) {
            pool.push(child)
            continue
          }
          let at = next.length
          while (at > 0 && elementAt(next, at - 1).value < child.value) at--
          next.splice(at, 0, child)
          if (next.length > width) pool.push(...next.splice(width))
        }
      }
      pool.push(...now)
      now = next
    }
    pool.push(...now)
  }

  return { placed: piecesOf(blocks, bestPlaced), volume: bestVolume }
}

function piecesOf({ leaves, leavesFrom }: Blocks, placed: Int32Array): Placed[] {
  const all: Placed[] = []
  for (let at = 0; at < placed.length; at += 4) {
    const block = placed[at] ?? 0
    for (let leaf = leavesFrom[block] ?? 0; leaf < (leavesFrom[block + 1] ?? 0); leaf++) {
      const [kind = 0, w = 0, l = 0, d = 0, a = 0, b = 0, c = 0, x = 0, y = 0, z = 0] = leaves.subarray(
        leaf * leafFields,
        leaf * leafFields + leafFields,
      )
      for (let k = 0; k < c; k++)
        for (let j = 0; j < b; j++)
          for (let i = 0; i < a; i++)
            all.push({
              kind,
              at: [(placed[at + 1] ?? 0) + x + i * w, (placed[at + 2] ?? 0) + y + j * l, (placed[at + 3] ?? 0) + z + k * d],
              size: [w, l, d],
            })
    }
  }
  return all
}
