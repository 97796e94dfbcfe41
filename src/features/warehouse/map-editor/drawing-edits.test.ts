/** Rules of editing a drawing. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Drawing, type Location, type Side } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import {
  aligned,
  areaBetween,
  changedThing,
  cleared,
  copied,
  directionOf,
  distributed,
  inserted,
  lineBetween,
  maskOf,
  mirrored,
  moved,
  nextName,
  oddPlaces,
  painted,
  pasted,
  racksAt,
  removed,
  resized,
  withLocations,
  withoutThing,
  withRack,
  withThing,
} from './drawing-edits.rules.ts'
import { emptyFloor } from './template.rules.ts'

const drawn = (...cells: string[]): Drawing => ({ ...emptyFloor(cells[0]?.length ?? 0, cells.length, 1_000), cells })
const at = (code: string, x: number, y: number, side: Side = 'n', level = 0): Location => ({ code, x, y, side, level })
const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const all = { sides: ['n', 'e', 's', 'w'] as const, besideAisles: true, lowest: 0, levels: 1 }

describe('painting', () => {
  test('a rectangle changes its cells and shares every other row', () => {
    const before = drawn('....', '....', '....')
    const after = painted(before, maskOf(before, [box(1, 1, 2, 1)]), '#')
    expect(after.cells).toEqual(['....', '.##.', '....'])
    expect(after.cells[0]).toBe(before.cells[0])
    expect(before.cells[1]).toBe('....')
  })

  test('what changes nothing is the same drawing, so that no step of undo is spent', () => {
    const before = drawn('.#')
    expect(painted(before, maskOf(before, [box(1, 0, 1, 1)]), '#')).toBe(before)
    expect(cleared(before, new Set([0]))).toBe(before)
  })

  test('an aisle through a rack takes the locations of its cells away; a rack keeps them', () => {
    const before = { ...drawn('...', '###'), locations: [at('A', 0, 1), at('B', 1, 1)] }
    const mask = maskOf(before, [box(1, 1, 1, 1)])
    expect(painted(before, mask, '.').locations.map(one => one.code)).toEqual(['A'])
    expect(painted(before, mask, '#')).toBe(before)
  })

  test('what lies outside of the grid is left out', () => {
    const before = drawn('..', '..')
    expect(painted(before, maskOf(before, [box(-3, 1, 9, 9)]), 'x').cells).toEqual(['..', 'xx'])
  })

  test('a line joins its ends without a gap', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(40), (x, y, toX, toY) => {
        const line = lineBetween({ x, y }, { x: toX, y: toY })
        expect(line[0]).toEqual({ x, y })
        expect(line.at(-1)).toEqual({ x: toX, y: toY })
        for (let i = 1; i < line.length; i++)
          expect(Math.max(Math.abs(line[i]!.x - line[i - 1]!.x), Math.abs(line[i]!.y - line[i - 1]!.y))).toBe(1)
      }),
    )
  })

  test('a one-way stroke points where it was drawn to', () => {
    const from = { x: 5, y: 5 }
    expect(
      [
        { x: 9, y: 6 },
        { x: 1, y: 4 },
        { x: 6, y: 9 },
        { x: 4, y: 0 },
      ].map(to => directionOf(from, to)),
    ).toEqual(['>', '<', 'v', '^'])
  })
})

describe('locations', () => {
  test('a rack has them along the chosen sides, on every level', () => {
    const rack = withRack(drawn('.....', '.....', '.....', '.....'), box(1, 1, 3, 2), { ...all, sides: ['n'], lowest: 1, levels: 2 })
    expect(rack.cells).toEqual(['.....', '.###.', '.###.', '.....'])
    expect(rack.locations.map(({ x, y, side, level }) => [x, y, side, level].join())).toEqual([
      '1,1,n,1',
      '1,1,n,2',
      '2,1,n,1',
      '2,1,n,2',
      '3,1,n,1',
      '3,1,n,2',
    ])
  })

  test('they are made only beside an aisle, where that is wanted', () => {
    const before = drawn('#.#', '###')
    expect(withLocations(before, new Set([3]), all).locations).toEqual([])
    expect(withLocations(before, new Set([0, 4]), all).locations.map(one => `${one.x}${one.y}${one.side}`)).toEqual(['00e', '11n'])
    expect(withLocations(before, new Set([3]), { ...all, besideAisles: false }).locations).toHaveLength(4)
  })

  test('free floor becomes a rack under them, and what is there already is not made twice', () => {
    const once = withLocations(drawn('..', '..'), new Set([0]), { ...all, sides: ['s'] })
    expect(once.cells[0]).toBe('#.')
    expect(withLocations(once, new Set([0]), { ...all, sides: ['s'] })).toBe(once)
  })

  test('codes made for the moment never meet a code that is there', () => {
    const before = { ...drawn('..', '..'), locations: [at('0.0.s.0', 1, 1)] }
    const codes = withLocations(before, new Set([0]), { ...all, sides: ['s'] }).locations.map(one => one.code.toUpperCase())
    expect(new Set(codes).size).toBe(2)
  })

  test('two in one place and those on walkable floor are reported', () => {
    const odd = oddPlaces({ ...drawn('#.', '..'), locations: [at('A', 0, 0, 's'), at('B', 0, 0, 's'), at('C', 0, 0, 'e'), at('D', 1, 1)] })
    expect(odd.map(one => [one.kind, one.items.map(item => item.text)])).toEqual([
      ['same_place', ['A', 'B']],
      ['on_floor', ['D']],
    ])
  })
})

describe('moving and copying', () => {
  const rack = (): Drawing => ({ ...drawn('......', '.##...', '......', '......'), locations: [at('A', 1, 1, 's'), at('B', 2, 1, 's')] })

  test('a moved rack takes its locations along and leaves floor behind', () => {
    const before = rack()
    const { drawing, right, down } = moved(before, maskOf(before, [box(1, 1, 2, 1)]), 2, 1)
    expect(drawing.cells).toEqual(['......', '......', '...##.', '......'])
    expect(drawing.locations.map(one => [one.code, one.x, one.y])).toEqual([
      ['A', 3, 2],
      ['B', 4, 2],
    ])
    expect([right, down]).toEqual([2, 1])
  })

  test('nothing moves off the grid', () => {
    const before = rack()
    const { drawing, right } = moved(before, maskOf(before, [box(1, 1, 2, 1)]), 99, 0)
    expect(right).toBe(3)
    expect(drawing.locations).toHaveLength(2)
  })

  test('a copy gets codes of its own; a piece that was cut keeps its codes', () => {
    const before = rack()
    const mask = maskOf(before, [box(1, 1, 2, 1)])
    const piece = copied(before, mask)!
    const twice = pasted(before, piece, { x: 3, y: 3 })
    expect(new Set(twice.locations.map(one => one.code)).size).toBe(4)
    expect(pasted(cleared(before, mask), piece, { x: 0, y: 0 }).locations.map(one => one.code)).toEqual(['A', 'B'])
  })

  test('pasting over a rack replaces its locations, and leaves out what does not fit on the grid', () => {
    const before = rack()
    const piece = copied(before, maskOf(before, [box(1, 1, 2, 1)]))!
    expect(pasted(before, piece, { x: 2, y: 1 }).locations.map(one => one.x)).toEqual([1, 2, 3])
    expect(pasted(before, piece, { x: 5, y: 3 }).locations).toHaveLength(3)
  })

  test('starts, zones inside and stairs move along; a zone that sticks out stays', () => {
    const before: Drawing = {
      ...drawn('.....', '.....', '.....'),
      starts: [{ name: 'Start', x: 0, y: 0 }],
      zones: [
        { name: 'in', x: 0, y: 0, width: 1, height: 2, cost: 2 },
        { name: 'out', x: 0, y: 0, width: 4, height: 1, cost: 2 },
      ],
      stairs: [{ name: 'lift', from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, metres: 3, one_way: false }],
    }
    const { drawing } = moved(before, maskOf(before, [box(0, 0, 2, 2)]), 2, 0)
    expect(drawing.starts[0]).toMatchObject({ x: 2, y: 0 })
    expect(drawing.stairs[0]).toMatchObject({ from: { x: 2, y: 0 }, to: { x: 3, y: 1 } })
    expect(Object.fromEntries(drawing.zones.map(zone => [zone.name, zone.x]))).toEqual({ in: 2, out: 0 })
  })

  test('a mirror turns arrows and sides, and mirrored twice is as before', () => {
    const before: Drawing = { ...drawn('#>v', '.^<'), locations: [at('A', 0, 0, 'e')] }
    const mask = maskOf(before, [box(0, 0, 3, 2)])
    const once = mirrored(before, mask, 'horizontal')
    expect(once.cells).toEqual(['v<#', '>^.'])
    expect(once.locations[0]).toMatchObject({ code: 'A', x: 2, side: 'w' })
    expect(mirrored(before, mask, 'vertical').cells).toEqual(['.v<', '#>^'])
    for (const way of ['horizontal', 'vertical'] as const) expect(mirrored(mirrored(before, mask, way), mask, way)).toEqual(before)
  })
})

describe('aligning', () => {
  const scattered = () => ({ ...drawn('#.......', '..#.....', '.......#'), locations: [at('A', 2, 1)] })
  const racks = (drawing: Drawing) => racksAt(drawing, maskOf(drawing, [box(0, 0, drawing.width, drawing.height)]))

  test('a rack is what hangs together by its sides, also beyond what was chosen', () => {
    const drawing = drawn('##..#', '#..#.')
    expect(racksAt(drawing, new Set([0, 4])).map(rack => [rack.cells.length, rack.box])).toEqual([
      [3, box(0, 0, 2, 2)],
      [1, box(4, 0, 1, 1)],
    ])
  })

  test('racks come to the edge of all of them, with their locations', () => {
    const after = aligned(scattered(), racks(scattered()), 'top')
    expect(after?.cells).toEqual(['#.#....#', '........', '........'])
    expect(after?.locations[0]).toMatchObject({ code: 'A', y: 0 })
  })

  test('gaps become equal and the outer racks stay', () => {
    const before = drawn('##.#....#')
    expect(distributed(before, racks(before), 'horizontal')?.cells).toEqual(['##...#..#'])
  })

  test('it is refused where racks would lie over one another', () => {
    const before = drawn('#...', '.##.')
    expect(aligned(before, racks(before), 'left')?.cells).toEqual(['#...', '##..'])
    const low = drawn('##..', '....', '.##.')
    expect(aligned(low, racks(low), 'top')).toBeNull()
  })

  test('it is refused where another rack stands', () => {
    const before = drawn('#.#', '...', '.##')
    expect(aligned(before, racksAt(before, new Set([0, 7])), 'top')).toBeNull()
  })
})

describe('rows and columns', () => {
  const full = (): Drawing => ({
    ...drawn('.#.', '.#.', '...'),
    locations: [at('A', 1, 0, 'e'), at('B', 1, 1, 'e')],
    zones: [{ name: 'Z', x: 0, y: 0, width: 3, height: 3, cost: 2 }],
    stairs: [{ name: 'S', from: { x: 0, y: 0 }, to: { x: 2, y: 2 }, metres: 3, one_way: false }],
  })

  test('a row inserted moves everything below and widens zones around it', () => {
    const after = inserted(full(), 'y', 1, 2)
    expect(after.cells).toEqual(['.#.', '...', '...', '.#.', '...'])
    expect(after.locations.map(one => one.y)).toEqual([0, 3])
    expect(after.zones[0]).toMatchObject({ y: 0, height: 5 })
    expect(after.stairs[0]?.to).toEqual({ x: 2, y: 4 })
    expect(Drawing.safeParse(after).success).toBe(true)
  })

  test('a column removed takes what stands in it along', () => {
    const after = removed(full(), 'x', 1, 1)
    expect(after.cells).toEqual(['..', '..', '..'])
    expect(after.locations).toEqual([])
    expect(after.zones[0]).toMatchObject({ x: 0, width: 2 })
    expect(after.stairs[0]?.to).toEqual({ x: 1, y: 2 })
  })

  test('a zone whose first rows are removed begins where they were', () => {
    const before: Drawing = { ...drawn('..', '..', '..', '..', '..'), zones: [{ name: 'Z', x: 0, y: 1, width: 2, height: 3, cost: 2 }] }
    expect(removed(before, 'y', 0, 2).zones[0]).toMatchObject({ y: 0, height: 2 })
    expect(removed(before, 'y', 1, 3).zones).toEqual([])
    expect(removed(before, 'y', 3, 2).zones[0]).toMatchObject({ y: 1, height: 2 })
  })

  test('inserting and removing the same place is as before', () => {
    fc.assert(
      fc.property(fc.constantFrom('x' as const, 'y' as const), fc.nat(3), fc.integer({ min: 1, max: 5 }), (axis, place, count) => {
        expect(removed(inserted(full(), axis, place, count), axis, place, count)).toEqual(full())
      }),
    )
  })

  test('a grid keeps at least two rows and two columns, and at most 400', () => {
    expect(resized(full(), 1, 9_999)).toMatchObject({ width: 2, height: 400 })
  })
})

test('things are added, changed and taken away without touching the others', () => {
  const zone = { name: 'Zone 1', x: 0, y: 0, width: 1, height: 1, cost: 2 }
  const one = withThing(drawn('..', '..'), 'zones', zone)
  const two = withThing(one, 'zones', { ...zone, name: nextName(one.zones, 'Zone') })
  expect(two.zones.map(({ name }) => name)).toEqual(['Zone 1', 'Zone 2'])
  expect(changedThing(two, 'zones', 1, { cost: 5 }).zones[0]).toBe(two.zones[0])
  expect(withoutThing(two, 'zones', 0).zones).toEqual([two.zones[1]])
  expect(changedThing(two, 'zones', 9, { cost: 5 })).toBe(two)
})

test('an area lies between two corners, whichever was first', () => {
  expect(areaBetween({ x: 4, y: 1 }, { x: 2, y: 3 })).toEqual(box(2, 1, 3, 3))
})
