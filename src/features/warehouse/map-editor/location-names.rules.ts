/** Naming many locations at once: a pattern makes the names, the order of a walk decides who gets which. */
import { elementAt, valueAt } from '#domain/objects.ts'
import { binKey } from '#features/warehouse/warehouse-maps/bins.rules.ts'
import type { Drawing, Location } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { accessOf } from '#optimization/distances/floor.ts'

export type Pattern = readonly (string | readonly string[])[]

/** Why a pattern cannot be read: English, a translation key. */
export type PatternProblem =
  | 'Enter a pattern'
  | 'A curly bracket is not closed'
  | 'Between curly brackets stands a range as 01..20 or A..F, or a list as A,C,F'
  | 'A range may have at most 10,000 steps'

const mostSteps = 10_000

/** `A-{01..20}-{1..5}`: text, number ranges (leading zeros are kept), letter ranges and lists. */
export function readPattern(text: string): { pattern: Pattern } | { problem: PatternProblem } {
  if (text.trim() === '') return { problem: 'Enter a pattern' }
  const pattern: (string | string[])[] = []
  let rest = text.trim()
  while (rest !== '') {
    const open = rest.indexOf('{')
    if (open < 0) {
      if (rest.includes('}')) return { problem: 'A curly bracket is not closed' }
      pattern.push(rest)
      break
    }
    if (rest.slice(0, open).includes('}')) return { problem: 'A curly bracket is not closed' }
    if (open > 0) pattern.push(rest.slice(0, open))
    const close = rest.indexOf('}', open)
    if (close < 0) return { problem: 'A curly bracket is not closed' }
    const choices = choicesOf(rest.slice(open + 1, close).trim())
    if (!Array.isArray(choices)) return { problem: choices }
    pattern.push(choices)
    rest = rest.slice(close + 1)
  }
  return { pattern }
}

function choicesOf(text: string): string[] | PatternProblem {
  const numbers = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text)
  const letters = /^([A-Za-z])\.\.([A-Za-z])$/.exec(text)
  if (numbers) {
    const [from, to] = [elementAt(numbers, 1), elementAt(numbers, 2)]
    const digits = from.startsWith('0') || to.startsWith('0') ? Math.max(from.length, to.length) : 1
    return rangeOf(Number(from), Number(to), value => String(value).padStart(digits, '0'))
  }
  if (letters) {
    const [from, to] = [elementAt(letters, 1), elementAt(letters, 2)]
    if ((from === from.toUpperCase()) === (to === to.toUpperCase()))
      return rangeOf(from.charCodeAt(0), to.charCodeAt(0), value => String.fromCharCode(value))
  }
  const list = text.split(',').map(one => one.trim())
  if (text.includes(',') && list.every(one => one !== '' && !one.includes('{'))) return list
  return 'Between curly brackets stands a range as 01..20 or A..F, or a list as A,C,F'
}

function rangeOf(from: number, to: number, print: (value: number) => string): string[] | PatternProblem {
  const count = Math.abs(to - from) + 1
  if (count > mostSteps) return 'A range may have at most 10,000 steps'
  const by = to < from ? -1 : 1
  return Array.from({ length: count }, (_, i) => print(from + i * by))
}

export const sizeOf = (pattern: Pattern): number =>
  pattern.reduce((size, part) => (typeof part === 'string' ? size : size * part.length), 1)

/** The first `count` names; the rightmost range turns fastest. */
export function namesOf(pattern: Pattern, count: number): string[] {
  return Array.from({ length: Math.min(count, sizeOf(pattern)) }, (_, i) => {
    let rest = i
    let name = ''
    for (const part of pattern.toReversed()) {
      if (typeof part === 'string') name = part + name
      else {
        name = part[rest % part.length] + name
        rest = Math.floor(rest / part.length)
      }
    }
    return name
  })
}

export interface WalkingOrder {
  /** Aisles run from north to south (`columns`) or from west to east (`rows`). */
  along: 'columns' | 'rows'
  /** `serpentine`: up one, down the next; `same`: each begins at the same end. */
  turn: 'serpentine' | 'same'
  /** `aisle`: both sides of an aisle together; `rack`: one rack after the other. */
  by: 'aisle' | 'rack'
  begin: 'top_left' | 'top_right' | 'bottom_left' | 'bottom_right'
}

/** Sorts locations as somebody meets them who walks so; the levels of one bay from below. */
export function inWalkingOrder(locations: readonly Location[], { along, turn, by, begin }: WalkingOrder): Location[] {
  const [across, forth] = along === 'columns' ? (['x', 'y'] as const) : (['y', 'x'] as const)
  const reversed = { x: begin.endsWith('right'), y: begin.startsWith('bottom') }
  const aisleOf = (one: Location) => (by === 'aisle' ? accessOf(one) : one)[across]
  const placeOf = (one: Location) => (by === 'aisle' ? accessOf(one) : one)[forth]
  const aisles = [...new Set(locations.map(aisleOf))].sort((a, b) => (reversed[across] ? b - a : a - b))
  const turnOf = new Map(aisles.map((aisle, i) => [aisle, (turn === 'serpentine' && i % 2 === 1) !== reversed[forth] ? -1 : 1]))
  const rank = new Map(aisles.map((aisle, i) => [aisle, i]))
  return locations.toSorted((a, b) => {
    const [aisle, other] = [aisleOf(a), aisleOf(b)]
    if (aisle !== other) return valueAt(rank, aisle) - valueAt(rank, other)
    return (
      (placeOf(a) - placeOf(b)) * valueAt(turnOf, aisle) ||
      (reversed[across] ? b[across] - a[across] : a[across] - b[across]) ||
      a[forth] - b[forth] ||
      a.side.localeCompare(b.side) ||
      a.level - b.level
    )
  })
}

export interface NamePlan {
  /** In walking order; `after` is undefined where the pattern has no more names. */
  names: { location: Location; after: string | undefined }[]
  /** Names that the pattern can make. */
  size: number
  missing: number
  /** Names that would be there twice, with locations that are not being named. */
  taken: string[]
  tooLong: string[]
}

export function planNames(drawing: Drawing, chosen: readonly Location[], pattern: Pattern, order: WalkingOrder): NamePlan {
  const sorted = inWalkingOrder(chosen, order)
  const made = namesOf(pattern, sorted.length)
  const named = new Set(chosen)
  const others = new Set(drawing.locations.filter(one => !named.has(one)).map(one => binKey(one.code)))
  const seen = new Set<string>()
  const taken = made.filter(name => {
    const key = binKey(name)
    const twice = others.has(key) || seen.has(key)
    seen.add(key)
    return twice
  })
  return {
    names: sorted.map((location, i) => ({ location, after: made[i] })),
    size: sizeOf(pattern),
    missing: Math.max(0, sorted.length - made.length),
    taken,
    tooLong: made.filter(name => name.length > 40 || name.trim() === ''),
  }
}

export function named(drawing: Drawing, plan: NamePlan): Drawing {
  const codes = new Map(
    plan.names.flatMap(({ location, after }) => (after === undefined || after === location.code ? [] : [[location, after]])),
  )
  if (codes.size === 0) return drawing
  return {
    ...drawing,
    locations: drawing.locations.map(one => {
      const code = codes.get(one)
      return code === undefined ? one : { ...one, code }
    }),
  }
}
