/** Routing heuristics that people use, for comparison (Roodbergen and De Koster 2001 for several blocks). */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { type BlocksQuestion, checkBlocks, type Place, walkBetween } from './block-network.ts'

export interface RuleRoute {
  /** Every pick once, as it was given, in walking order. */
  readonly tour: Place[]
  /** Length by the rule; often longer than the shortest path from pick to pick. */
  readonly length: number
}

/** A stretch of aisle between two cross-aisles, or beyond the outermost one, with its picks. */
interface Stretch {
  readonly aisle: number
  /** Lower and upper cross-aisle; the same one for a dead end. */
  readonly low: number
  readonly high: number
  readonly picks: readonly Place[]
}

/** Enter each aisle with picks at one end and leave it at the other; the last one may be left where it was entered. */
export function sShape(question: BlocksQuestion): RuleRoute {
  return byBlocks(question, (walk, block, front) => {
    let fromLow = front === block.low
    for (const [index, stretch] of block.stretches.entries()) {
      const turnsBack = stretch.low === stretch.high || (index === block.stretches.length - 1 && fromLow === (front === block.low))
      const [near, far] = fromLow ? [stretch.low, stretch.high] : [stretch.high, stretch.low]
      walk.to([stretch.aisle, near])
      walk.pick(nearestFirst(stretch.picks, near))
      walk.to([stretch.aisle, turnsBack ? near : far])
      if (!turnsBack) fromLow = !fromLow
    }
  })
}

/** Enter and leave every aisle at the same end. */
export function returnRoute(question: BlocksQuestion): RuleRoute {
  return byBlocks(question, (walk, block, front) => {
    for (const { aisle, picks } of block.stretches) {
      walk.to([aisle, front])
      walk.pick(nearestFirst(picks, front))
      walk.to([aisle, front])
    }
  })
}

/** Walk all of the first and the last aisle, and enter the others from both sides up to the largest gap between picks. */
export function largestGap(question: BlocksQuestion): RuleRoute {
  return byBlocks(question, (walk, block, front) => {
    const { stretches, low, high } = block
    const back = front === low ? high : low
    const first = elementAt(stretches, 0)
    if (stretches.length === 1 || low === high) {
      for (const { aisle, picks } of stretches) {
        walk.to([aisle, front])
        walk.pick(nearestFirst(picks, front))
        walk.to([aisle, front])
      }
      return
    }
    walk.to([first.aisle, front])
    walk.pick(nearestFirst(first.picks, front))
    walk.to([first.aisle, back])
    const inner = stretches.slice(1, -1).map(stretch => ({ stretch, gap: gapOf(stretch) }))
    for (const { stretch, gap } of inner) {
      const own = stretch.picks.filter(([, y]) => (back === high ? y >= gap.above : y <= gap.below))
      if (own.length === 0) continue
      walk.to([stretch.aisle, back])
      walk.pick(nearestFirst(own, back))
      walk.to([stretch.aisle, back])
    }
    const last = stretches.at(-1)!
    walk.to([last.aisle, back])
    walk.pick(nearestFirst(last.picks, back))
    walk.to([last.aisle, front])
    for (const { stretch, gap } of inner.reverse()) {
      const own = stretch.picks.filter(([, y]) => (front === high ? y >= gap.above : y <= gap.below))
      if (own.length === 0) continue
      walk.to([stretch.aisle, front])
      walk.pick(nearestFirst(own, front))
      walk.to([stretch.aisle, front])
    }
  })
}

interface Block {
  readonly low: number
  readonly high: number
  readonly stretches: readonly Stretch[]
}

interface Walk {
  to(place: Place): void
  pick(places: readonly Place[]): void
}

/** Blocks are visited from the furthest from the depot to the nearest, each entered at the cross-aisle nearer to the depot. */
function byBlocks(question: BlocksQuestion, inBlock: (walk: Walk, block: Block, front: number) => void): RuleRoute {
  checkBlocks(question)
  const { depot, picks, end = depot } = question
  const crossings = [...new Set(question.crossAisleY)].sort((a, b) => a - b)
  const tour: Place[] = []
  let length = 0
  let at = depot
  const walk: Walk = {
    to(place) {
      length += walkBetween(question, at, place)
      at = place
    },
    pick(places) {
      for (const place of places) {
        walk.to(place)
        tour.push(place)
      }
    },
  }
  const bounds = [Number.NEGATIVE_INFINITY, ...crossings, Number.POSITIVE_INFINITY]
  const blocks = bounds.slice(1).flatMap((above, index): Block[] => {
    const below = bounds[index] ?? 0
    const own = picks.filter(([, y]) => y >= below && (y < above || (index === crossings.length - 1 && y === above)))
    const inside = index === crossings.length ? own.filter(([, y]) => index === 0 || y > below) : own
    if (inside.length === 0) return []
    const low = Number.isFinite(below) ? below : Number.isFinite(above) ? above : depot[1]
    const high = Number.isFinite(above) ? above : low
    const aisles = [...new Set(inside.map(([aisle]) => aisle))].sort((a, b) => a - b)
    return [{ low, high, stretches: aisles.map(aisle => ({ aisle, low, high, picks: inside.filter(pick => pick[0] === aisle) })) }]
  })
  const distanceTo = (y: number) => Math.abs(y - depot[1])
  const frontOf = ({ low, high }: Block) => (distanceTo(low) <= distanceTo(high) ? low : high)
  for (const block of blocks.toSorted((a, b) => distanceTo(frontOf(b)) - distanceTo(frontOf(a)) || b.low - a.low))
    inBlock(walk, block, frontOf(block))
  walk.to(end)
  return { tour, length }
}

const nearestFirst = (picks: readonly Place[], from: number) => picks.toSorted((a, b) => Math.abs(a[1] - from) - Math.abs(b[1] - from))

function gapOf({ low, high, picks }: Stretch): { below: number; above: number } {
  const ys = [low, ...picks.map(([, y]) => y).sort((a, b) => a - b), high]
  let widest = 1
  for (let index = 2; index < ys.length; index++)
    if ((ys[index] ?? 0) - (ys[index - 1] ?? 0) > (ys[widest] ?? 0) - (ys[widest - 1] ?? 0)) widest = index
  return { below: ys[widest - 1] ?? 0, above: ys[widest] ?? 0 }
}
