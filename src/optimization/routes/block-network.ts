/** A rectangular warehouse: parallel aisles, joined only by cross-aisles. */

/** A place in an aisle: the aisle's number from 0, and how far along it. */
export type Place = readonly [aisle: number, y: number]

export interface BlocksQuestion {
  readonly aisles: number
  /** From one aisle to the next along a cross-aisle, in the unit of y. */
  readonly aisleGap: number
  /** Where cross-aisles are, in any order. An aisle may reach beyond them: a dead end. */
  readonly crossAisleY: readonly number[]
  readonly depot: Place
  readonly picks: readonly Place[]
  /** End of the tour; by default the depot. */
  readonly end?: Place | undefined
}

/** Length of the shortest walk; Infinity between aisles that no cross-aisle joins. */
export function walkBetween({ aisleGap, crossAisleY }: Pick<BlocksQuestion, 'aisleGap' | 'crossAisleY'>, from: Place, to: Place): number {
  if (from[0] === to[0]) return Math.abs(from[1] - to[1])
  let along = Number.POSITIVE_INFINITY
  for (const y of crossAisleY) along = Math.min(along, Math.abs(from[1] - y) + Math.abs(y - to[1]))
  return along + Math.abs(from[0] - to[0]) * aisleGap
}

/** Length of the walk from the depot over the tour to the end. */
export function walkAlong(question: BlocksQuestion, tour: readonly Place[]): number {
  let length = 0
  let at = question.depot
  for (const place of [...tour, question.end ?? question.depot]) {
    length += walkBetween(question, at, place)
    at = place
  }
  return length
}

/** Throws a RangeError with a sentence for the user. */
export function checkBlocks({ aisles, aisleGap, crossAisleY, depot, picks, end }: BlocksQuestion) {
  if (!Number.isInteger(aisles) || aisles < 1) throw new RangeError('aisles must be a whole number from 1')
  if (!(aisleGap >= 0 && Number.isFinite(aisleGap))) throw new RangeError('aisleGap must be a number from 0')
  if (!crossAisleY.every(Number.isFinite)) throw new RangeError('crossAisleY must hold numbers')
  const check = (place: Place, name: string) => {
    if (!Number.isInteger(place[0]) || place[0] < 0 || place[0] >= aisles)
      throw new RangeError(`${name} is in aisle ${place[0]}, but aisles are numbered 0 to ${aisles - 1}`)
    if (!Number.isFinite(place[1])) throw new RangeError(`${name} must have a number for y`)
    if (crossAisleY.length === 0 && place[0] !== depot[0])
      throw new RangeError(`There is no way to ${name}: no cross-aisle joins the aisles`)
  }
  check(depot, 'depot')
  if (end) check(end, 'end')
  for (const [index, pick] of picks.entries()) check(pick, `picks[${index}]`)
}
