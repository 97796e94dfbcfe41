/**
 * The state of a partial tour when the sweep has reached an aisle: for each crossing of this aisle with a cross-aisle whether the tour
 * visits it, an odd or an even number of times, and which crossings are connected so far.
 * All partial tours with the same state have the same continuations, so that only the shortest counts: the equivalence classes of
 * Ratliff and Rosenthal (1983), for any number of cross-aisles as in Cambazard and Catusse (2018, hal-01897877). With 2 to 6 cross-aisles
 * a closed tour has 6, 24, 112, 568 and 3,032 of them.
 */

import { elementAt } from '#optimization/arrays/element-at.ts'

/** The effect of a walk within one stretch of aisle on its two crossings. */
export type StretchKind = number
/** The stretch is walked through: once means an odd number of new visits at that end. */
export const through = (oddBelow: number, oddAbove: number): StretchKind => oddBelow + 2 * oddAbove
/** The stretch is entered from its ends but not walked through: 0 not entered from here, 1 entered and left, 2 an odd number of times. */
export const apart = (below: number, above: number): StretchKind => 4 + below + 3 * above
export const stretchKinds = 13

const unknown = -2
export const impossible = -1

export interface BlockStates {
  readonly crossings: number
  /** Number of states so far; a state is a smaller number. 0 is the empty tour. */
  count(): number
  /** 0 where the tour does not visit the crossing, 1 an odd number of times, 2 an even number of times. */
  visits(state: number, crossing: number): number
  /** All is connected and even: a complete tour. */
  isWhole(state: number): boolean
  /** The tour visits a crossing; `odd` where it also ends there. */
  touch(state: number, crossing: number, odd: number): number
  /** The stretch from `crossing` to the next is walked in the manner `kind`. */
  stretch(state: number, crossing: number, kind: StretchKind): number
  /** The sweep leaves the crossing, and the tour does not continue to the next aisle here: impossible if a part would be disconnected. */
  drop(state: number, crossing: number): number
}

const kept = new Map<number, BlockStates>()

/** States are created at first use and cached: the next question with as many cross-aisles only looks them up. */
export function statesOf(crossings: number): BlockStates {
  const known = kept.get(crossings)
  if (known) return known
  const made = newStates(crossings)
  kept.set(crossings, made)
  return made
}

function newStates(crossings: number): BlockStates {
  // A crossing's mark is 0 untouched, else twice the number of its part plus 1 where odd; parts are numbered from 1 by first appearance.
  const shapes: Uint8Array[] = []
  const numbers = new Map<string, number>()
  const whole: boolean[] = []
  let visited = new Uint8Array(64 * crossings)

  const touches = crossings * 2
  const stretches = Math.max(0, crossings - 1) * stretchKinds
  const actions = touches + stretches + crossings
  let steps = new Int32Array(64 * actions).fill(unknown)

  const numberOf = (marks: Uint8Array): number => {
    const names = new Uint8Array(crossings + 2)
    let parts = 0
    for (let crossing = 0; crossing < crossings; crossing++) {
      const part = (marks[crossing] ?? 0) >> 1
      if (part === 0) continue
      names[part] ||= ++parts
      marks[crossing] = (names[part] ?? 0) * 2 + ((marks[crossing] ?? 0) & 1)
    }
    const key = String.fromCharCode(...marks)
    const known = numbers.get(key)
    if (known !== undefined) return known
    const state = shapes.push(marks) - 1
    numbers.set(key, state)
    whole.push(parts === 1 && marks.every(mark => (mark & 1) === 0))
    if (state * crossings >= visited.length) {
      const more = new Uint8Array(visited.length * 2)
      more.set(visited)
      visited = more
      const further = new Int32Array(steps.length * 2).fill(unknown)
      further.set(steps)
      steps = further
    }
    marks.forEach((mark, crossing) => {
      visited[state * crossings + crossing] = mark === 0 ? 0 : mark & 1 ? 1 : 2
    })
    return state
  }

  const touchMark = (marks: Uint8Array, crossing: number, odd: number) => {
    marks[crossing] = marks[crossing] === 0 ? freePart(marks) * 2 + odd : (marks[crossing] ?? 0) ^ odd
  }
  const freePart = (marks: Uint8Array) => {
    let part = 1
    while (marks.some(mark => mark >> 1 === part)) part++
    return part
  }

  const act = (state: number, action: number): number => {
    const marks = elementAt(shapes, state).slice()
    if (action < touches) {
      touchMark(marks, action >> 1, action & 1)
    } else if (action < touches + stretches) {
      const below = Math.floor((action - touches) / stretchKinds)
      const kind = (action - touches) % stretchKinds
      if (kind < 4) {
        touchMark(marks, below, kind & 1)
        touchMark(marks, below + 1, kind >> 1)
        const [joined, into] = [(marks[below + 1] ?? 0) >> 1, (marks[below] ?? 0) >> 1]
        for (let crossing = 0; crossing < crossings; crossing++)
          if ((marks[crossing] ?? 0) >> 1 === joined) marks[crossing] = into * 2 + ((marks[crossing] ?? 0) & 1)
      } else {
        const [low, high] = [(kind - 4) % 3, Math.floor((kind - 4) / 3)]
        if (low > 0) touchMark(marks, below, low - 1)
        if (high > 0) touchMark(marks, below + 1, high - 1)
      }
    } else {
      const crossing = action - touches - stretches
      const mark = marks[crossing] ?? 0
      if (mark & 1) return impossible
      if (mark > 0 && !marks.some((other, index) => index !== crossing && other >> 1 === mark >> 1)) return impossible
      marks[crossing] = 0
    }
    return numberOf(marks)
  }
  const step = (state: number, action: number): number => {
    const known = steps[state * actions + action] ?? 0
    if (known !== unknown) return known
    const next = act(state, action)
    steps[state * actions + action] = next
    return next
  }

  numberOf(new Uint8Array(crossings))
  return {
    crossings,
    count: () => shapes.length,
    visits: (state, crossing) => visited[state * crossings + crossing] ?? 0,
    isWhole: state => whole[state]!,
    touch: (state, crossing, odd) => step(state, crossing * 2 + odd),
    stretch: (state, crossing, kind) => step(state, touches + crossing * stretchKinds + kind),
    drop: (state, crossing) => step(state, touches + stretches + crossing),
  }
}
