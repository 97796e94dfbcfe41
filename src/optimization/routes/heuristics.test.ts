/** Routing heuristics give the routes that pickers walk by these rules. */
import { describe, expect, it } from 'vitest'
import type { BlocksQuestion, Place } from './block-network.ts'
import { largestGap, returnRoute, sShape } from './heuristics.ts'

const picks: Place[] = [
  [0, 4],
  [1, 2],
  [1, 9],
  [2, 7],
]
const oneBlock: BlocksQuestion = { aisles: 3, aisleGap: 3, crossAisleY: [0, 10], depot: [0, 0], picks }

describe('a routing heuristic', () => {
  it('traverses aisles in an S and returns in the last one when it would end at the far side', () => {
    const { tour, length } = sShape(oneBlock)
    expect(tour).toEqual([
      [0, 4],
      [1, 9],
      [1, 2],
      [2, 7],
    ])
    expect(length).toBe(10 + 3 + 10 + 3 + 7 + 7 + 6)
  })

  it('returns to the front after every aisle', () => {
    expect(returnRoute(oneBlock)).toEqual({ tour: picks, length: 2 * 4 + 3 + 2 * 9 + 3 + 2 * 7 + 6 })
  })

  it('walks the first and the last aisle and leaves out the largest gap of the others', () => {
    const { tour, length } = largestGap(oneBlock)
    expect(tour).toEqual([
      [0, 4],
      [1, 9],
      [2, 7],
      [1, 2],
    ])
    expect(length).toBe(10 + 3 + 2 + 3 + 10 + 3 + 2 * 2 + 3)
  })

  it('visits the furthest block first where there are several', () => {
    const several = { ...oneBlock, crossAisleY: [0, 5, 10] }
    expect(sShape(several).tour.map(([, y]) => y > 5)).toEqual([true, true, false, false])
    expect(returnRoute(several).tour).toHaveLength(4)
  })
})
