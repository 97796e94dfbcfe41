/**
 * What must be known about a half-built tour when the sweep over the aisles has come to one of them: for each crossing of this aisle with a
 * cross-aisle whether the tour has been there, an odd or an even number of times, and which crossings are joined by what is built already.
 * All half-tours that agree in this can be continued by the same walks, so that only the shortest counts: the equivalence classes of
 * Ratliff and Rosenthal (1983), for any number of cross-aisles as in Cambazard and Catusse (2018, hal-01897877). With 2 to 6 cross-aisles
 * a closed tour has 6, 24, 112, 568 and 3,032 of them.
 */

/** What a walk within one stretch of aisle between two crossings means for them. */
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
  /** How many states have been met so far; a state is a number below. 0 is the beginning, when nothing is built. */
  count(): number
  /** 0 where the tour has not been at the crossing, 1 an odd number of times, 2 an even number of times. */
  visits(state: number, crossing: number): number
  /** All is joined and even: a whole tour. */
  isWhole(state: number): boolean
  /** The tour comes to a crossing and goes back; `odd` where it also ends there. */
  touch(state: number, crossing: number, odd: number): number
  /** The stretch from `crossing` to the next is walked in the manner of `kind`. */
  stretch(state: number, crossing: number, kind: StretchKind): number
  /** The sweep leaves the crossing behind, and the tour does not go on to the next aisle here: impossible if a part would be cut off. */
  drop(state: number, crossing: number): number
}

const kept = new Map<number, BlockStates>()

/** States are found as they are met, and kept: the next question with as many cross-aisles only looks them up. */
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
      const part = marks[crossing]! >> 1
      if (part === 0) continue
      names[part] ||= ++parts
      marks[crossing] = names[part]! * 2 + (marks[crossing]! & 1)
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
    marks[crossing] = marks[crossing] === 0 ? freePart(marks) * 2 + odd : marks[crossing]! ^ odd
  }
  const freePart = (marks: Uint8Array) => {
    let part = 1
    while (marks.some(mark => mark >> 1 === part)) part++
    return part
  }

  const act = (state: number, action: number): number => {
    const marks = shapes[state]!.slice()
    if (action < touches) {
      touchMark(marks, action >> 1, action & 1)
    } else if (action < touches + stretches) {
      const below = Math.floor((action - touches) / stretchKinds)
      const kind = (action - touches) % stretchKinds
      if (kind < 4) {
        touchMark(marks, below, kind & 1)
        touchMark(marks, below + 1, kind >> 1)
        const [joined, into] = [marks[below + 1]! >> 1, marks[below]! >> 1]
        for (let crossing = 0; crossing < crossings; crossing++)
          if (marks[crossing]! >> 1 === joined) marks[crossing] = into * 2 + (marks[crossing]! & 1)
      } else {
        const [low, high] = [(kind - 4) % 3, Math.floor((kind - 4) / 3)]
        if (low > 0) touchMark(marks, below, low - 1)
        if (high > 0) touchMark(marks, below + 1, high - 1)
      }
    } else {
      const crossing = action - touches - stretches
      const mark = marks[crossing]!
      if (mark & 1) return impossible
      if (mark > 0 && !marks.some((other, index) => index !== crossing && other >> 1 === mark >> 1)) return impossible
      marks[crossing] = 0
    }
    return numberOf(marks)
  }
  const step = (state: number, action: number): number => {
    const known = steps[state * actions + action]!
    if (known !== unknown) return known
    const next = act(state, action)
    steps[state * actions + action] = next
    return next
  }

  numberOf(new Uint8Array(crossings))
  return {
    crossings,
    count: () => shapes.length,
    visits: (state, crossing) => visited[state * crossings + crossing]!,
    isWhole: state => whole[state]!,
    touch: (state, crossing, odd) => step(state, crossing * 2 + odd),
    stretch: (state, crossing, kind) => step(state, touches + crossing * stretchKinds + kind),
    drop: (state, crossing) => step(state, touches + stretches + crossing),
  }
}
