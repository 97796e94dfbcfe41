/** The optimal tour through a rectangular warehouse with any number of cross-aisles. */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { type BlocksQuestion, checkBlocks, type Place, walkAlong, walkBetween } from './block-network.ts'
import { eulerWalk } from './euler-tour.ts'
import { type Stop, sweep } from './rectangular-dp.ts'
import { shortestTour } from './tour.ts'

export type { BlocksQuestion, Place } from './block-network.ts'

export interface BlocksTour {
  /** Every pick once, as it was given, in walking order. */
  readonly tour: Place[]
  /** From the depot over the picks back to it, or to the end, in the unit of the question. */
  readonly length: number
}

/** With more cross-aisles there are too many states: seven have 17 thousand, eight 95 thousand, and each further six times more. */
export const mostCrossAisles = 7

/** The optimum up to `mostCrossAisles`, and close to it beyond. Throws a RangeError with a sentence for the user. */
export function routeBlocks(question: BlocksQuestion): BlocksTour {
  checkBlocks(question)
  const { depot, picks, end = depot } = question
  const asked = new Map<string, Place[]>()
  for (const place of [depot, end, ...picks]) asked.set(nameOf(place), [])
  for (const pick of picks) asked.get(nameOf(pick))!.push(pick)

  const places = [...asked.keys()].map(placeOf)
  const crossings = [...new Set(question.crossAisleY)].sort((a, b) => a - b)
  const visited = places.every(([aisle]) => aisle === depot[0])
    ? alongOneAisle(question, places)
    : crossings.length > mostCrossAisles
      ? byDistances(question, places)
      : bySweep(question, places, crossings)
  const tour: Place[] = []
  for (const name of new Set(visited.map(nameOf))) tour.push(...(asked.get(name) ?? []))
  return { tour, length: walkAlong(question, tour) }
}

/** Replaces -0 by 0. */
const nameOf = ([aisle, y]: Place) => `${aisle} ${y + 0}`
const placeOf = (name: string): Place => {
  const [aisle, y] = name.split(' ')
  return [Number(aisle), Number(y)]
}

/** Down first and then up, or the reverse: nothing else can be shortest on a line. */
function alongOneAisle(question: BlocksQuestion, places: readonly Place[]): Place[] {
  const start = question.depot[1]
  const upwards = places.toSorted((a, b) => a[1] - b[1])
  const below = upwards.filter(([, y]) => y <= start)
  const above = upwards.filter(([, y]) => y > start)
  const downFirst = [...below.toReversed(), ...above]
  const atOrAbove = upwards.filter(([, y]) => y >= start)
  const upFirst = [...atOrAbove, ...upwards.filter(([, y]) => y < start).reverse()]
  return walkAlong(question, downFirst) <= walkAlong(question, upFirst) ? downFirst : upFirst
}

function bySweep({ depot, end = depot, aisleGap }: BlocksQuestion, places: readonly Place[], crossings: readonly number[]): Place[] {
  const open = nameOf(depot) !== nameOf(end)
  const stops: Stop[] = places.map(place => ({ place, odd: open && (nameOf(place) === nameOf(depot) || nameOf(place) === nameOf(end)) }))
  const walked = sweep(stops, crossings, aisleGap)
  const numbers = new Map<string, number>()
  const known: Place[] = []
  const numberOf = (place: Place) => {
    const name = nameOf(place)
    const number = numbers.get(name) ?? known.push(place) - 1
    numbers.set(name, number)
    return number
  }
  const start = numberOf(depot)
  const links = walked.map(({ from, to, times }) => ({ from: numberOf(from), to: numberOf(to), times }))
  return eulerWalk(known.length, links, start).map(number => elementAt(known, number))
}

/** Optimal up to the stops that `shortestTour` proves. */
function byDistances(question: BlocksQuestion, places: readonly Place[]): Place[] {
  const end = question.end ?? question.depot
  const nodes = [...places, question.depot, end]
  const between = (from: number, to: number) => walkBetween(question, elementAt(nodes, from), elementAt(nodes, to))
  const { order } = shortestTour(between, { start: places.length, end: places.length + 1, stops: [...places.keys()] })
  return order.map(stop => elementAt(nodes, stop))
}
