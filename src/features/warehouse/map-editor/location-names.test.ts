/** Rules of naming many locations at once. */
import { describe, expect, test } from 'vitest'
import type { Location, Side } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { inWalkingOrder, named, namesOf, type Pattern, planNames, readPattern, sizeOf, type WalkingOrder } from './location-names.rules.ts'
import { emptyFloor } from './template.rules.ts'

const patternOf = (text: string): Pattern => {
  const read = readPattern(text)
  if ('problem' in read) throw new Error(read.problem)
  return read.pattern
}
const names = (text: string, count = 99) => namesOf(patternOf(text), count)
const at = (x: number, y: number, side: Side = 'e', level = 0): Location => ({ code: `${x}.${y}.${side}.${level}`, x, y, side, level })
const order: WalkingOrder = { along: 'columns', turn: 'serpentine', by: 'aisle', begin: 'top_left' }

describe('patterns', () => {
  test('the rightmost range turns fastest and leading zeros are kept', () => {
    expect(names('A-{01..20}-{1..5}', 6)).toEqual(['A-01-1', 'A-01-2', 'A-01-3', 'A-01-4', 'A-01-5', 'A-02-1'])
    expect(sizeOf(patternOf('A-{01..20}-{1..5}'))).toBe(100)
    expect(names('{8..11}')).toEqual(['8', '9', '10', '11'])
  })

  test('letters, lists and ranges that count down are understood', () => {
    expect(names('{A..C}{2..1}')).toEqual(['A2', 'A1', 'B2', 'B1', 'C2', 'C1'])
    expect(names('R{low, high}')).toEqual(['Rlow', 'Rhigh'])
  })

  test.each([
    ['', 'Enter a pattern'],
    ['A-{1..', 'A curly bracket is not closed'],
    ['A-1}', 'A curly bracket is not closed'],
    ['A-{}', 'Between curly brackets stands a range as 01..20 or A..F, or a list as A,C,F'],
    ['A-{a..F}', 'Between curly brackets stands a range as 01..20 or A..F, or a list as A,C,F'],
    ['A-{1..99999}', 'A range may have at most 10,000 steps'],
  ])('“%s” is refused with a sentence', (text, problem) => {
    expect(readPattern(text)).toEqual({ problem })
  })
})

describe('walking order', () => {
  const rack = [at(0, 0), at(0, 1), at(2, 0, 'w'), at(2, 1, 'w'), at(4, 0), at(4, 1)]
  const walked = (change: Partial<WalkingOrder>) => inWalkingOrder(rack, { ...order, ...change }).map(one => `${one.x}${one.y}`)

  test('both sides of an aisle come together, and the next aisle backwards', () => {
    expect(walked({})).toEqual(['00', '20', '01', '21', '41', '40'])
  })

  test('each aisle from the same end, where no one turns', () => {
    expect(walked({ turn: 'same' })).toEqual(['00', '20', '01', '21', '40', '41'])
  })

  test('one rack after the other', () => {
    expect(walked({ by: 'rack' })).toEqual(['00', '01', '21', '20', '40', '41'])
  })

  test('it begins in the chosen corner', () => {
    expect(walked({ begin: 'bottom_right', turn: 'same' })).toEqual(['41', '40', '21', '01', '20', '00'])
  })

  test('aisles may run from west to east', () => {
    expect(walked({ along: 'rows', by: 'rack' })).toEqual(['00', '20', '40', '41', '21', '01'])
  })

  test('the levels of a bay go up, whichever way the walk goes', () => {
    const bay = [at(0, 0, 'e', 2), at(0, 0, 'e', 1), at(0, 1, 'e', 2), at(0, 1, 'e', 1)]
    expect(inWalkingOrder(bay, { ...order, begin: 'bottom_left' }).map(one => `${one.y}${one.level}`)).toEqual(['11', '12', '01', '02'])
  })
})

describe('a plan of names', () => {
  const drawing = { ...emptyFloor(5, 5, 1_000), locations: [at(0, 0), at(0, 1), { ...at(0, 2), code: 'a-1' }] }
  const chosen = drawing.locations.slice(0, 2)

  test('reports names that other locations have already', () => {
    expect(planNames(drawing, chosen, patternOf('A-{1..2}'), order).taken).toEqual(['A-1'])
  })

  test('names that only change places are free', () => {
    const plan = planNames(drawing, chosen, patternOf('{0.1.e.0,0.0.e.0}'), order)
    expect(plan.taken).toEqual([])
    expect(named(drawing, plan).locations.map(one => one.code)).toEqual(['0.1.e.0', '0.0.e.0', 'a-1'])
  })

  test('reports how many names are missing, and names no others', () => {
    const plan = planNames(drawing, chosen, patternOf('B'), order)
    expect(plan.missing).toBe(1)
    const after = named(drawing, plan)
    expect(after.locations.map(one => one.code)).toEqual(['B', '0.1.e.0', 'a-1'])
    expect(after.locations[2]).toBe(drawing.locations[2])
  })
})
