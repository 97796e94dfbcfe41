import { describe, expect, it } from 'vitest'
import { elementOf, topFor, windowOf } from './visible-rows.ts'

describe('the rows that are drawn', () => {
  it('are all that can be seen, wherever one is', () => {
    for (const rowHeight of [35, 45])
      for (const count of [101, 5_000, 100_000])
        for (let top = 0; top <= count * rowHeight - 600; top += 997) {
          const { first, end } = windowOf(count, rowHeight, top, 600)
          const firstSeen = Math.floor(top / rowHeight)
          const lastSeen = Math.min(count - 1, Math.floor((top + 599) / rowHeight))
          expect(first).toBeLessThanOrEqual(firstSeen)
          expect(first).toBeGreaterThanOrEqual(0)
          expect(end).toBeGreaterThan(lastSeen)
          expect(end).toBeLessThanOrEqual(count)
          expect(end - first).toBeLessThanOrEqual(Math.ceil(600 / rowHeight) + 20)
        }
  })

  it('stay the same for a few rows of scrolling', () => {
    const before = windowOf(1_000, 45, 4_500, 600)
    expect(windowOf(1_000, 45, 4_500 + 44, 600, before)).toEqual(before)
  })

  it('are no more than can be seen where one leaps, in elements that keep their order', () => {
    let drawn = windowOf(1_000, 45, 0, 600)
    for (const top of [3_000, 9_000, 6_000, 20_000]) {
      drawn = windowOf(1_000, 45, top, 600, drawn)
      expect(drawn.end - drawn.first).toBe(15)
      expect(drawn.first * 45).toBeLessThanOrEqual(top)
      expect(drawn.end * 45).toBeGreaterThanOrEqual(top + 600)
      expect(Array.from({ length: 15 }, (_, nth) => elementOf(drawn.first + nth, drawn))).toEqual([...Array(15).keys()])
    }
  })

  it('are shown by elements of their own, and keep theirs while one goes on slowly', () => {
    let drawn = windowOf(1_000, 45, 9_000, 600)
    for (let top = 9_000; top < 20_000; top += 100) {
      const next = windowOf(1_000, 45, top, 600, drawn)
      const both = Array.from({ length: next.end - next.first }, (_, nth) => next.first + nth)
      expect(new Set(both.map(place => elementOf(place, next))).size).toBe(both.length)
      for (const place of both.filter(one => one >= drawn.first && one < drawn.end))
        expect(elementOf(place, next)).toBe(elementOf(place, drawn))
      drawn = next
    }
  })

  it('are none where there are none', () => {
    expect(windowOf(0, 45, 0, 600)).toEqual({ first: 0, end: 0, base: 0 })
  })
})

describe('scrolling to a row', () => {
  it('leaves what is in sight where it is', () => {
    expect(topFor(10, 45, 400, 600, 36)).toBe(400)
  })

  it('brings what is above to the top and what is below to the bottom, not under the head', () => {
    expect(topFor(3, 45, 400, 600, 36)).toBe(135)
    expect(topFor(30, 45, 400, 600, 36)).toBe(31 * 45 + 36 - 600)
  })
})
