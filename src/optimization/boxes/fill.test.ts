/** Every plan is checked independently, and small boxes are compared with exhaustive search. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newChance } from '#optimization/random/seeded-random.ts'
import { bischoffRatcliff, containerOfClasses, kindsOfClasses } from '#test/bischoff-ratcliff.ts'
import { planFaults } from '#test/packing-plan.ts'
import { type Fill, type FillInput, fill, type ItemToFill } from './fill.ts'

type Size = [number, number, number]

function faultsOf({ box, items, support = 0.6 }: FillInput, { items: packed, share }: Fill): string[] {
  const carries = (box.max_weight ?? Number.POSITIVE_INFINITY) - (box.tare ?? 0)
  const faults = planFaults({ inner: box.inner, carries }, items, packed, support)
  const volume = packed.reduce((sum, { size: [w, l, d] }) => sum + w * l * d, 0) / (box.inner[0] * box.inner[1] * box.inner[2])
  return Math.abs(volume - share) < 1e-9 ? faults : [...faults, `${share} instead of ${volume} is filled`]
}

const item = (id: string, size: Size, qty = 1, rules: Partial<ItemToFill> = {}): ItemToFill => ({ id, size, qty, ...rules })
const idsOf = ({ items }: Fill) => items.map(({ id }) => id)
const inner: Size = [10, 10, 10]

describe('A filled box', () => {
  it.each<[string, FillInput, number]>([
    ['is empty without pieces', { box: { inner }, items: [] }, 0],
    ['is empty where the quantity is none', { box: { inner }, items: [item('a', [1, 1, 1], 0)] }, 0],
    ['leaves out what is too large', { box: { inner }, items: [item('a', [11, 1, 1]), item('b', [10, 10, 5])] }, 1],
    ['leaves out what is too heavy', { box: { inner, max_weight: 5 }, items: [item('a', [1, 1, 1], 1, { weight: 6 })] }, 0],
    ['counts its own weight', { box: { inner, max_weight: 5, tare: 2 }, items: [item('a', [1, 1, 1], 9, { weight: 1 })] }, 3],
    ['holds one piece of its own size', { box: { inner }, items: [item('a', [10, 10, 10], 3)] }, 1],
    ['holds all of equal cubes', { box: { inner }, items: [item('a', [2, 2, 2], 200)] }, 125],
    ['lays a rod on its side', { box: { inner: [2, 2, 9] }, items: [item('a', [9, 2, 2])] }, 1],
    ['keeps flat what must', { box: { inner: [2, 2, 9] }, items: [item('a', [9, 2, 2], 1, { keep_flat: true })] }, 0],
    [
      'stands a side upright that may',
      { box: { inner: [2, 3, 9] }, items: [item('a', [9, 3, 2], 1, { upright: [true, false, false] })] },
      1,
    ],
    [
      'stands none upright that may not',
      { box: { inner: [2, 3, 9] }, items: [item('a', [9, 3, 2], 1, { upright: [false, true, true] })] },
      0,
    ],
    ['puts nothing on a fragile piece', { box: { inner }, items: [item('a', [10, 10, 4], 2, { keep_flat: true, fragile_top: true })] }, 1],
    [
      'puts a fragile piece on top',
      { box: { inner }, items: [item('a', [10, 10, 5], 1, { keep_flat: true, fragile_top: true }), item('b', [10, 10, 5])] },
      2,
    ],
    [
      'puts nothing heavier on a piece than it bears',
      { box: { inner }, items: [item('a', [10, 10, 5], 2, { keep_flat: true, weight: 7, bears: 6 })] },
      1,
    ],
    ['puts on a piece what it bears', { box: { inner }, items: [item('a', [10, 10, 5], 2, { keep_flat: true, weight: 7, bears: 7 })] }, 2],
    ['calculates with parts of a millimetre', { box: { inner: [0.3, 1, 1] }, items: [item('a', [0.1, 1, 1], 3)] }, 3],
    ['never takes a length for shorter than it is', { box: { inner: [1, 1, 1] }, items: [item('a', [1 / 3 + 1e-4, 1, 1], 3)] }, 2],
    [
      'is filled in tiny and in large units',
      { box: { inner: [90_000, 90_000, 90_000] }, items: [item('a', [30_000, 30_000, 30_000], 30)] },
      27,
    ],
    ['is tiny', { box: { inner: [0.0004, 1, 1] }, items: [item('a', [1, 1, 1])] }, 0],
  ])('%s', (_, input, pieces) => {
    for (const support of [0, 0.6, 1]) {
      const answer = fill({ ...input, support, steps: 500 })
      expect(faultsOf({ ...input, support }, answer)).toEqual([])
      expect(answer.items).toHaveLength(pieces)
    }
  })

  it('supports each piece as far as it is asked to', () => {
    // The lid is larger than the post that stands in the middle of nothing else.
    const lid = (support: number, post: number): FillInput => ({
      ...{ box: { inner: [10, 10, 7] }, support, steps: 200 },
      items: [item('post', [10, post, 5], 1, { keep_flat: true }), item('lid', [10, 10, 2], 1, { keep_flat: true, fragile_top: true })],
    })
    expect(idsOf(fill(lid(0, 5))).toSorted()).toEqual(['lid', 'post'])
    expect(fill(lid(0.6, 5)).items).toHaveLength(1)
    expect(idsOf(fill(lid(0.6, 6)))).toEqual(['post', 'lid'])
    expect(fill(lid(1, 9)).items).toHaveLength(1)
    expect(idsOf(fill(lid(1, 10)))).toEqual(['post', 'lid'])
  })

  it('finds the one small piece that may stand where many larger ones may not', () => {
    const heavy = Array.from({ length: 40 }, (_, n) => item(`heavy ${n}`, [55 + n, 51, 45], 1, { weight: 6, keep_flat: true }))
    const base = item('base', [100, 100, 50], 1, { keep_flat: true, bears: 5 })
    const items = [...heavy, base, item('light', [5, 5, 5], 1, { weight: 1 })]
    expect(idsOf(fill({ box: { inner: [100, 100, 100] }, items, steps: 100 }))).toEqual(['base', 'light'])
  })

  it('passes the check for any pieces', () => {
    const side = fc.integer({ min: 1, max: 30 })
    const size = fc.tuple(side, side, side)
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const input = fc.record({
      box: fc.record({ inner: size, max_weight: optional(fc.integer({ min: 0, max: 300 })), tare: fc.nat(10) }),
      items: fc.array(
        fc.record({
          ...{ size, weight: fc.nat(20), qty: fc.nat(20), keep_flat: fc.boolean(), fragile_top: fc.boolean() },
          ...{ bears: optional(fc.nat(20)), upright: optional(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())) },
        }),
        { maxLength: 6 },
      ),
      support: fc.constantFrom(0, 0.6, 1),
    })
    fc.assert(
      fc.property(input, ({ items, ...rest }) => {
        const question = { ...rest, items: items.map((one, index) => ({ ...one, id: index })), steps: 300 }
        expect(faultsOf(question, fill(question))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('holds as much as exhaustive search finds', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const chance = newChance(seed)
      const side = (most: number) => 1 + chance.below(most)
      const box = { inner: [1 + side(3), 1 + side(3), 1 + side(2)] as Size }
      const items = Array.from({ length: 1 + chance.below(3) }, (_, index) =>
        item(`${index}`, [side(3), side(3), side(2)], 1 + chance.below(2)),
      )
      const { share } = fill({ box, items, support: 0, steps: 2_000 })
      expect(share, `seed ${seed}`).toBeCloseTo(mostByTrying(box.inner, items), 9)
    }
  })

  it('gives the same answer for the same number of steps, and none worse for more', () => {
    const question = { box: { inner: containerOfClasses }, items: bischoffRatcliff(8, 2) }
    const [few, again] = [fill({ ...question, steps: 300 }), fill({ ...question, steps: 300 })]
    expect(again).toEqual(few)
    expect(fill({ ...question, steps: 1_500 }).share).toBeGreaterThanOrEqual(few.share)
  })

  it('ends by the clock that it is given', () => {
    let now = 0
    const clock = () => now++
    const question = { box: { inner: containerOfClasses }, items: bischoffRatcliff(8, 2), clock }
    const none = fill({ ...question, limit_ms: 0 })
    expect(none.share).toBeGreaterThan(0.7)
    now = 0
    const some = fill({ ...question, limit_ms: 3_000 })
    expect(now).toBeLessThan(3_500)
    expect(some.share).toBeGreaterThanOrEqual(none.share)
  })

  it('lists pieces so that each is lowered from above', () => {
    const { items } = fill({ box: { inner: containerOfClasses }, items: bischoffRatcliff(12, 4), steps: 600 })
    for (const [index, { at, size }] of items.entries())
      for (const earlier of items.slice(0, index)) {
        const isOver = [0, 1].every(
          axis => earlier.at[axis]! < at[axis]! + size[axis]! && at[axis]! < earlier.at[axis]! + earlier.size[axis]!,
        )
        expect(isOver && earlier.at[2] >= at[2] + size[2]).toBe(false)
      }
  })

  it('takes a time that grows with the pieces, not with their square', () => {
    const question = (kinds: number): FillInput => {
      const chance = newChance(kinds)
      const side = () => 20 + chance.below(80)
      const items = Array.from({ length: kinds }, (_, id) => ({ id, size: [side(), side(), side()] as Size, qty: 1 }))
      return { box: { inner: [600, 400, 400] }, items, steps: 400 }
    }
    const used = (kinds: number) => {
      const input = question(kinds)
      const began = process.cpuUsage()
      fill(input)
      const { user, system } = process.cpuUsage(began)
      return user + system
    }
    used(100)
    const [few, many] = [Math.min(used(120), used(120), used(120)), Math.min(used(960), used(960), used(960))]
    expect(many / few).toBeLessThan(30)
  })
})

describe('The classes of Bischoff and Ratcliff', () => {
  it('are the published ones', () => {
    const upright = (may: readonly boolean[]) => may.map(Number).join('')
    expect(bischoffRatcliff(3, 1).map(({ size, qty, upright: may }) => `${size.join('×')} ×${qty} ${upright(may)}`)).toEqual([
      '108×76×30 ×40 001',
      '110×43×25 ×33 011',
      '92×81×55 ×39 111',
    ])
    expect(bischoffRatcliff(5, 1).map(({ qty }) => qty)).toEqual([24, 7, 22, 13, 15])
  })

  it.each([0, 0.6])('are filled well and without a fault, with support of %d', support => {
    let sum = 0
    for (const kinds of kindsOfClasses) {
      const question = { box: { inner: containerOfClasses }, items: bischoffRatcliff(kinds, 3), support, steps: 1_500 }
      const answer = fill(question)
      expect(faultsOf(question, answer)).toEqual([])
      sum += answer.share
    }
    expect(sum / kindsOfClasses.length).toBeGreaterThan(0.9)
  })
})

/** The greatest share of the box on whole places, over every set of pieces. */
function mostByTrying([W, L, D]: Size, items: readonly ItemToFill[]): number {
  const pieces = items.flatMap(one => Array.from({ length: one.qty }, () => one.size))
  const taken = new Uint8Array(W * L * D)
  let best = 0
  const cells = ([w, l, d]: Size, x: number, y: number, z: number) => {
    const all: number[] = []
    for (let i = x; i < x + w; i++) for (let j = y; j < y + l; j++) for (let k = z; k < z + d; k++) all.push((i * L + j) * D + k)
    return all
  }
  const next = (index: number, filled: number, left: number) => {
    best = Math.max(best, filled)
    if (index === pieces.length || filled + left <= best || best === W * L * D) return
    const [a, b, c] = pieces[index]!
    const volume = a * b * c
    const turns: Size[] = [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ]
    for (const turn of turns)
      for (let x = 0; x + turn[0] <= W; x++)
        for (let y = 0; y + turn[1] <= L; y++)
          for (let z = 0; z + turn[2] <= D; z++) {
            const own = cells(turn, x, y, z)
            if (own.some(cell => taken[cell])) continue
            for (const cell of own) taken[cell] = 1
            next(index + 1, filled + volume, left - volume)
            for (const cell of own) taken[cell] = 0
          }
    next(index + 1, filled, left - volume)
  }
  next(
    0,
    0,
    pieces.reduce((sum, [a, b, c]) => sum + a * b * c, 0),
  )
  return best / (W * L * D)
}
