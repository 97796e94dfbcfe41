/** Rules of drawing floors and walks, of beginning with a template, and of taking steps back. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  emptyFloor,
  letters,
  rectangular,
  type Template,
  templateFits,
  templateLocations,
} from '#features/warehouse/map-editor/template.rules.ts'
import { beginHistory, mostSteps, redo, step, undo } from '#features/warehouse/map-editor/undo-history.rules.ts'
import { slottingAsCsv } from '#features/warehouse/slotting/slotting-sheet.rules.ts'
import { findingsOf } from './drawing.rules.ts'
import { Drawing } from './drawing.schemas.ts'
import { legsOf, oneWayArrows, oneWayCells, pickSides, shapeOf, tileSide, tilesOf, turned, walkPicture } from './floor-plan.rules.ts'

describe('shapes', () => {
  test('cells that lie together become one rectangle', () => {
    expect(shapeOf(['.##.', '.##.'], '#')).toBe('M1 0H3V2H1z')
    expect(shapeOf(['##', '#.'], '#')).toBe('M0 0H2V1H0zM0 1H1V2H0z')
    expect(shapeOf(['..'], '#')).toBe('')
  })

  test('they cover exactly the cells of their kind', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('.', '#'), minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        cells => {
          const area = [...shapeOf(cells, '#').matchAll(/M(\d+) (\d+)H(\d+)V(\d+)/g)].reduce(
            (sum, [, x, y, right, bottom]) => sum + (Number(right) - Number(x)) * (Number(bottom) - Number(y)),
            0,
          )
          expect(area).toBe(cells.join('').replaceAll('.', '').length)
        },
      ),
    )
  })

  test('levels of one side are one bar, and every one-way cell has an arrow', () => {
    expect(pickSides([0, 1, 2].map(() => ({ x: 0, y: 0, side: 'n' as const }))).match(/M/g)).toHaveLength(1)
    expect(oneWayArrows(oneWayCells(['>.', '.^'])).match(/M/g)).toHaveLength(2)
  })
})

test('tiles hold every thing once, each where it lies', () => {
  const things = [0, tileSide - 1, tileSide, tileSide * 3].map(x => ({ x, y: 0 }))
  expect(tilesOf(things, some => some.map(one => one.x).join())).toEqual([
    { key: '0 0', x: 0, y: 0, path: `0,${tileSide - 1}` },
    { key: '1 0', x: tileSide, y: 0, path: String(tileSide) },
    { key: '3 0', x: tileSide * 3, y: 0, path: String(tileSide * 3) },
  ])
})

describe('walks', () => {
  const path = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 2, y: 0 },
    { x: 1, y: 0 },
    { x: 5, y: 5 },
    { x: 5, y: 6 },
  ]

  test('the way there and the way back lie beside each other, and stairs are jumps', () => {
    const { line, jumps } = walkPicture(path)
    expect(line).toContain('0.5 0.67')
    expect(line).toContain('2.5 0.33')
    expect(jumps).toBe('M1.5 0.5L5.5 5.5')
  })

  test('legs lead from stop to stop, and a stop that is not on the map has none', () => {
    const legs = legsOf(path, [
      { x: 2, y: 0 },
      { x: null, y: null },
      { x: 1, y: 0 },
    ])
    expect(legs.map(leg => leg.length)).toEqual([3, 0, 2, 3])
  })

  test('a floor turned four times is the floor', () => {
    const route = {
      floor: {
        ...emptyFloor(3, 2, 1_000),
        cells: ['>#v', '.^<'],
        starts: [{ name: 'S', x: 2, y: 0 }],
        zones: [{ name: 'Z', x: 1, y: 0, width: 2, height: 1, cost: 2 }],
      },
      stops: [{ no: 1, x: 2, y: 1 }],
      path: [{ x: 0, y: 0 }],
    }
    const once = turned(route)
    expect(once.floor.cells).toEqual(['.v', '>#', '^<'])
    expect(once.floor.zones[0]).toMatchObject({ x: 1, y: 1, width: 1, height: 2 })
    expect(once.stops).toEqual([{ no: 1, x: 0, y: 2 }])
    expect(turned(turned(turned(once)))).toEqual(route)
  })
})

describe('templates', () => {
  const template: Template = {
    aisles: 4,
    bays: 10,
    levels: 3,
    crossAisles: 1,
    aisleWidth: 1,
    oneWay: false,
    cell_mm: 1_000,
    aisleNames: 'letters',
    bayNumbers: 'odd_even',
    separator: '-',
    startName: 'Start',
    stationName: 'Packing',
  }

  test('a rectangular warehouse has nothing wrong with it, whatever was chosen', () => {
    fc.assert(
      fc.property(
        fc.record({
          aisles: fc.integer({ min: 1, max: 12 }),
          bays: fc.integer({ min: 2, max: 20 }),
          levels: fc.integer({ min: 1, max: 4 }),
          crossAisles: fc.nat(2),
          aisleWidth: fc.integer({ min: 1, max: 3 }),
          oneWay: fc.boolean(),
          bayNumbers: fc.constantFrom('odd_even' as const, 'up_and_down' as const),
          aisleNames: fc.constantFrom('letters' as const, 'numbers' as const),
        }),
        chosen => {
          const drawing = rectangular({ ...template, ...chosen, crossAisles: Math.min(chosen.crossAisles, chosen.bays - 1) })
          expect(Drawing.safeParse(drawing).success).toBe(true)
          expect(findingsOf(drawing)).toEqual([])
          expect(drawing.locations).toHaveLength(templateLocations({ ...template, ...chosen }))
        },
      ),
      { numRuns: 40 },
    )
  })

  test('bays count from the front: odd ones on the left and even ones on the right', () => {
    const { locations, height } = rectangular(template)
    const place = (code: string) => locations.find(one => one.code === code)
    expect(place('A-01-1')).toMatchObject({ x: 1, y: height - 3, side: 'e', level: 1 })
    expect(place('A-02-3')).toMatchObject({ x: 3, y: height - 3, side: 'w', level: 3 })
    expect(place('D-20-1')).toMatchObject({ y: 1, side: 'w' })
  })

  test('what would not fit is known before', () => {
    expect(templateFits({ ...template, aisles: 200 })).toBe(false)
    expect(templateFits(template)).toBe(true)
  })

  test('aisles are lettered as columns of a spreadsheet', () => {
    expect([0, 25, 26, 51, 52].map(letters)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA'])
  })
})

describe('steps back', () => {
  test('a hundred can be taken back, and forth again', () => {
    let history = beginHistory(0)
    for (let i = 1; i <= mostSteps + 20; i++) history = step(history, i)
    for (let i = 0; i < mostSteps + 20; i++) history = undo(history)
    expect(history.present).toBe(20)
    for (let i = 0; i < mostSteps + 20; i++) history = redo(history)
    expect(history.present).toBe(mostSteps + 20)
  })

  test('a new step ends what could be done again', () => {
    const history = step(undo(step(beginHistory('a'), 'b')), 'c')
    expect(redo(history).present).toBe('c')
    expect(undo(history).present).toBe('a')
  })

  test('typing in one field is one step, and a step that changes nothing is none', () => {
    const typed = ['1', '12', '123'].reduce((so, text) => step(so, text, 'width'), beginHistory(''))
    expect(undo(typed).present).toBe('')
    expect(step(typed, '123')).toBe(typed)
    expect(undo(step(typed, '9', 'height')).present).toBe('123')
  })
})

test('advice is written so that no spreadsheet runs a product name as a formula', () => {
  const product = { product_id: 1, company: 'Demo', sku: 'A', name: '=1+1', picks: 3 }
  const swap = { product, from_bin: 'A-1', to_bin: 'B "2"', other: null, saved_metres_per_day: 4.5 }
  expect(slottingAsCsv([swap], ['a,b', 'c']).split('\r\n')).toEqual(['\uFEFF"a,b",c', `Demo,A,'=1+1,3,A-1,"B ""2""",,,,4.5`, ''])
})
