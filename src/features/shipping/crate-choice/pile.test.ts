/** The drawing of a packed crate. */
import { describe, expect, it } from 'vitest'
import { drawingOrder, facesOf, layersOf, onPaper } from './pile.rules.ts'

const cube = (x: number, y: number, z: number, side = 10) => ({ at: [x, y, z] as const, size: [side, side, side] as const })

describe('the drawing of a crate', () => {
  it('draws what lies behind or below first, whatever the order of packing', () => {
    const [back, front, above, beside] = [cube(0, 0, 0), cube(10, 0, 0), cube(0, 0, 10), cube(0, 10, 0)]
    for (const pieces of [
      [back, front, above, beside],
      [above, beside, front, back],
    ]) {
      const order = drawingOrder(pieces).map(index => pieces[index])
      expect(order.indexOf(back)).toBeLessThan(order.indexOf(front))
      expect(order.indexOf(back)).toBeLessThan(order.indexOf(above))
      expect(order.indexOf(back)).toBeLessThan(order.indexOf(beside))
    }
  })

  it('draws each of 200 pieces once', () => {
    const pieces = Array.from({ length: 200 }, (_, place) =>
      cube(10 * (place % 10), 10 * (Math.floor(place / 10) % 10), 10 * Math.floor(place / 100)),
    )
    expect(drawingOrder(pieces).toSorted((a, b) => a - b)).toEqual(pieces.map((_, place) => place))
  })

  it('shows height upwards and the other two axes to the sides', () => {
    expect(onPaper([0, 0, 10])).toEqual([0, -10])
    expect(onPaper([10, 0, 0])[0]).toBeGreaterThan(0)
    expect(onPaper([0, 10, 0])[0]).toBeLessThan(0)
    expect(facesOf(cube(0, 0, 0)).top.split(' ')).toHaveLength(4)
  })

  it('has a layer for each height at which pieces stand, counted from the floor', () => {
    expect(layersOf([cube(0, 0, 0), cube(10, 0, 0), cube(0, 0, 10)])).toEqual([2, 3])
    expect(layersOf([])).toEqual([])
  })
})
