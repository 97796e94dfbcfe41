/** Distances on a drawn floor: shortest paths, and their file format. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, encode, measure, mostPlaces, pathBetween } from './distances.ts'
import type { Cell, Floor } from './floor.ts'
import { accessOf, isWalkable } from './floor.ts'

const floorOf = (cells: string[], more: Partial<Floor> = {}): Floor => ({
  width: cells[0]!.length,
  height: cells.length,
  cell_mm: 1000,
  cells,
  zones: [],
  stairs: [],
  ...more,
})

const anyFloor: fc.Arbitrary<Floor> = fc.tuple(fc.integer({ min: 2, max: 7 }), fc.integer({ min: 2, max: 7 })).chain(([width, height]) => {
  const cell = fc.record({ x: fc.integer({ min: 0, max: width - 1 }), y: fc.integer({ min: 0, max: height - 1 }) })
  return fc.record({
    width: fc.constant(width),
    height: fc.constant(height),
    cell_mm: fc.constantFrom(400, 1000, 1250),
    cells: fc.array(
      fc
        .array(fc.constantFrom('.', '.', '.', '.', '#', 'x', '^', 'v', '<', '>'), { minLength: width, maxLength: width })
        .map(row => row.join('')),
      { minLength: height, maxLength: height },
    ),
    zones: fc.array(
      fc.record({
        x: fc.nat(width),
        y: fc.nat(height),
        width: fc.integer({ min: 1, max: 4 }),
        height: fc.integer({ min: 1, max: 4 }),
        cost: fc.constantFrom(1, 1.5, 2, 7.25),
      }),
      { maxLength: 2 },
    ),
    stairs: fc.array(fc.record({ from: cell, to: cell, metres: fc.constantFrom(0, 1, 2.5), one_way: fc.boolean() }), { maxLength: 2 }),
  })
})

const turns = { '^': [[0, -1]], v: [[0, 1]], '<': [[-1, 0]], '>': [[1, 0]] } as const

/** Millimetres of a step from one cell straight to another by the rules of a floor; Infinity if that is no step. */
function stepLength(floor: Floor, from: Cell, to: Cell): number {
  const standable = (cell: Cell) => !'#x'.includes(floor.cells[cell.y]![cell.x]!)
  if (!standable(from) || !standable(to)) return Number.POSITIVE_INFINITY
  const lengths = [Number.POSITIVE_INFINITY]
  const sign = floor.cells[from.y]![from.x]! as keyof typeof turns | '.'
  const allowed = sign === '.' ? Object.values(turns).flat() : turns[sign]
  const dearness = (cell: Cell) =>
    Math.max(
      1,
      ...floor.zones
        .filter(zone => cell.x >= zone.x && cell.x < zone.x + zone.width && cell.y >= zone.y && cell.y < zone.y + zone.height)
        .map(zone => zone.cost),
    )
  if (allowed.some(([right, down]) => from.x + right === to.x && from.y + down === to.y))
    lengths.push((floor.cell_mm * (dearness(from) + dearness(to))) / 2)
  const same = (a: Cell, b: Cell) => a.x === b.x && a.y === b.y
  for (const stair of floor.stairs)
    if ((same(stair.from, from) && same(stair.to, to)) || (!stair.one_way && same(stair.to, from) && same(stair.from, to)))
      lengths.push(stair.metres * 1000)
  return Math.min(...lengths)
}

/** Floyd and Warshall: slow, and independent of the code under test. */
function allLengths(floor: Floor, cells: Cell[]): number[][] {
  const lengths = cells.map(from => cells.map(to => (from === to ? 0 : stepLength(floor, from, to))))
  for (const over of cells.keys())
    for (const from of cells.keys())
      for (const to of cells.keys()) lengths[from]![to] = Math.min(lengths[from]![to]!, lengths[from]![over]! + lengths[over]![to]!)
  return lengths
}

const allCells = ({ width, height }: Floor) =>
  Array.from({ length: width * height }, (_, index) => ({ x: index % width, y: Math.floor(index / width) }))

describe('Distances', () => {
  it('are as short as any path that respects racks, one-way cells, zones and stairs', async () => {
    await fc.assert(
      fc.asyncProperty(anyFloor, async floor => {
        const cells = allCells(floor)
        const lengths = allLengths(floor, cells)
        const { between } = await measure(floor, cells)
        for (const from of cells.keys())
          for (const to of cells.keys()) {
            const expected = lengths[from]![to]! / 100
            if (Number.isFinite(expected)) expect(Math.abs(between(from, to) - expected)).toBeLessThanOrEqual(0.5001)
            else expect(between(from, to)).toBe(Number.POSITIVE_INFINITY)
          }
      }),
      { numRuns: 150 },
    )
  })

  it('belong to a path of valid steps with the same length', () => {
    fc.assert(
      fc.property(anyFloor, fc.nat(48), fc.nat(48), (floor, one, other) => {
        const cells = allCells(floor)
        const [from, to] = [one % cells.length, other % cells.length]
        const path = pathBetween(floor, cells[from]!, cells[to]!)
        const length = allLengths(floor, cells)[from]![to]!
        if (!Number.isFinite(length) || !isWalkable(floor, cells[from]!)) {
          expect(path).toEqual([])
          return
        }
        expect([path[0], path.at(-1)]).toEqual([cells[from], cells[to]])
        const walked = path.slice(1).reduce((sum, cell, index) => sum + stepLength(floor, path[index]!, cell), 0)
        expect(walked).toBeCloseTo(length, 5)
      }),
      { numRuns: 300 },
    )
  })

  it('are restored from their file unchanged, with the hash of the map', async () => {
    const floor = floorOf(['..>.', '.#x.', '....'])
    const cells = allCells(floor)
    const distances = await measure(floor, cells)
    const again = decode(encode(distances, 'sølv'))
    expect(again.hash).toBe('sølv')
    expect(again.cells).toEqual(cells)
    for (const from of cells.keys()) for (const to of cells.keys()) expect(again.between(from, to)).toBe(distances.between(from, to))
    const bare = { cells: distances.cells, size: distances.size, between: distances.between }
    expect(encode(bare, 'sølv')).toEqual(encode(distances, 'sølv'))
  })

  it('reject a truncated or foreign file', async () => {
    const bytes = encode(await measure(floorOf(['..']), [{ x: 0, y: 0 }]), 'a')
    expect(() => decode(bytes.subarray(0, bytes.length - 1))).toThrow('not whole')
    expect(() => decode(new Uint8Array(100))).toThrow('no distances')
    expect(() => decode(new Uint8Array(3))).toThrow('no distances')
  })

  it('report progress up to 1, and stop when the report throws', async () => {
    const rows = Array.from({ length: 120 }, () => '.'.repeat(120))
    const floor = floorOf(rows)
    const cells = allCells(floor).filter(({ x, y }) => (x + y) % 8 === 0)
    const reports: number[] = []
    await measure(floor, cells, done => void reports.push(done))
    expect(reports.at(-1)).toBe(cells.length)
    expect(reports).toEqual(reports.toSorted((a, b) => a - b))
    const stopped = measure(floor, cells, () => {
      throw new Error('stopped by somebody')
    })
    await expect(stopped).rejects.toThrow('stopped by somebody')
  })

  it('are not measured for more places than memory holds', async () => {
    const cells = Array.from({ length: mostPlaces + 1 }, () => ({ x: 0, y: 0 }))
    await expect(measure(floorOf(['..']), cells)).rejects.toThrow(RangeError)
  })
})

describe('A location', () => {
  it('is picked from the neighbour on its side', () => {
    expect(accessOf({ x: 3, y: 4, side: 'n' })).toEqual({ x: 3, y: 3 })
    expect(accessOf({ x: 3, y: 4, side: 'e' })).toEqual({ x: 4, y: 4 })
    expect(accessOf({ x: 3, y: 4, side: 's' })).toEqual({ x: 3, y: 5 })
    expect(accessOf({ x: 3, y: 4, side: 'w' })).toEqual({ x: 2, y: 4 })
  })

  it('cannot be picked from a rack, a blocked cell or outside', () => {
    const floor = floorOf(['.#x', 'v^.'])
    const walkable = allCells(floor).filter(cell => isWalkable(floor, cell))
    expect(walkable.map(({ x, y }) => `${x},${y}`)).toEqual(['0,0', '0,1', '1,1', '2,1'])
    expect(isWalkable(floor, { x: -1, y: 0 }) || isWalkable(floor, { x: 0, y: 2 })).toBe(false)
  })
})
