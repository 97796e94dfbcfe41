/** Every placement is checked independently, and the choice is compared with simpler methods and with exhaustive search. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newChance } from '#optimization/random/seeded-random.ts'
import { planFaults } from '#test/packing-plan.ts'
import { newFiller, turnsOf } from './crate-fill.ts'
import { newCovers } from './crate-lower-bounds.ts'
import { type CrateBox, type CrateItem, type CratesInput, type PackedCrates, packCrates } from './crates.ts'

type Size = [number, number, number]

/** The faults of the answer, as sentences. */
function faultsOf({ boxes, items }: CratesInput, { crates, cost }: PackedCrates): string[] {
  const faults: string[] = []
  const left = new Map(items.map(item => [item.id, item.qty]))
  let sum = 0
  for (const { box: name, items: packed } of crates) {
    const box = boxes.find(one => one.name === name)
    if (!box) return [`no box ${name}`]
    sum += box.cost
    if (packed.length === 0) faults.push('an empty crate')
    faults.push(...planFaults({ inner: box.inner, carries: box.max_weight - box.tare }, items, packed, 0.6))
    for (const { id } of packed) left.set(id, left.get(id)! - 1)
  }
  if ([...left.values()].some(qty => qty !== 0)) faults.push('not every piece is packed once')
  if (Math.abs(sum - cost) > 1e-6) faults.push('the cost is another')
  return faults
}

/** An order of a web shop: 1–8 pieces, 6–11 boxes. */
function shopOrder(seed: number): CratesInput {
  const chance = newChance(seed)
  const boxes = Array.from({ length: 5 + chance.below(6) }, (_, index): CrateBox => {
    const scale = 0.5 + (index + chance.next()) * 0.28
    const inner: Size = [
      Math.round(200 * scale * (0.8 + chance.next() * 0.5)),
      Math.round(150 * scale * (0.8 + chance.next() * 0.5)),
      Math.round(100 * scale * (0.7 + chance.next() * 0.7)),
    ]
    const cost = Math.round(50 + (inner[0] * inner[1] * inner[2] * (0.7 + 0.6 * chance.next())) / 1e5)
    return { name: `B${index}`, inner, max_weight: 3_000 + 3_000 * index, tare: 50 * (index + 1), cost }
  })
  boxes.push({ name: 'XL', inner: [620, 420, 400], max_weight: 30_000, tare: 800, cost: 900 })
  const items: CrateItem[] = []
  for (let left = 1 + chance.below(8); left > 0; ) {
    const qty = Math.min(left, chance.next() < 0.6 ? 1 : 1 + chance.below(4))
    const scale = chance.next() < 0.7 ? 1 : 2
    const size: Size = [20 + chance.below(160 * scale), 15 + chance.below(120 * scale), 8 + chance.below(90 * scale)]
    items.push({ id: `i${items.length}`, size, weight: 50 + chance.below(1_500), qty, keep_flat: chance.next() < 0.25 })
    left -= qty
  }
  return { boxes, items }
}

/** Packs layers of rows by volume: the cheapest box that holds all, else the box that takes the most in turn. */
function shelfCost({ boxes, items }: CratesInput): number {
  const volume = ([w, l, d]: readonly number[]) => w! * l! * d!
  let left = items.flatMap(item => Array.from({ length: item.qty }, () => item)).sort((a, b) => volume(b.size) - volume(a.size))
  const cheapFirst = boxes.toSorted((a, b) => a.cost - b.cost)
  let cost = 0
  while (left.length > 0) {
    const tries = cheapFirst.map(box => ({ box, rest: packLayers(box, left) }))
    const best = tries.reduce((a, b) => (b.rest.length < a.rest.length ? b : a))
    if (best.rest.length === left.length) return Number.POSITIVE_INFINITY
    cost += best.box.cost
    left = best.rest
  }
  return cost
}

function packLayers({ inner: [W, L, D], max_weight, tare }: CrateBox, pieces: CrateItem[]): CrateItem[] {
  let [x, y, z, row, layer, weight] = [0, 0, 0, 0, 0, 0]
  const tops: { x: number; y: number; w: number; l: number; top: number }[] = []
  return pieces.filter(({ size, weight: own, keep_flat }) => {
    const [w, l, d] = keep_flat
      ? [Math.max(size[0], size[1]), Math.min(size[0], size[1]), size[2]]
      : (size.toSorted((a, b) => b - a) as Size)
    let [tryX, tryY, tryZ, tryRow, tryLayer] = [x, y, z, row, layer]
    if (tryX + w > W) [tryX, tryY, tryRow] = [0, tryY + tryRow, 0]
    if (tryY + l > L) [tryX, tryY, tryZ, tryRow, tryLayer] = [0, 0, tryZ + tryLayer, 0, 0]
    if (weight + own + tare > max_weight || tryX + w > W || tryY + l > L || tryZ + d > D) return true
    let support = tryZ === 0 ? w * l : 0
    for (const under of tops) {
      const wide = Math.min(tryX + w, under.x + under.w) - Math.max(tryX, under.x)
      const long = Math.min(tryY + l, under.y + under.l) - Math.max(tryY, under.y)
      if (under.top === tryZ && wide > 0 && long > 0) support += wide * long
    }
    if (support < 0.6 * w * l) return true
    ;[x, y, z, row, layer] = [tryX + w, tryY, tryZ, Math.max(tryRow, l), Math.max(tryLayer, d)]
    weight += own
    tops.push({ x: tryX, y: tryY, w, l, top: tryZ + d })
    return false
  })
}

const box = (name: string, inner: Size, cost: number, max_weight = 1e6): CrateBox => ({ name, inner, cost, max_weight, tare: 10 })
const item = (id: string, size: Size, qty = 1, keep_flat = false, weight = 1): CrateItem => ({ id, size, qty, keep_flat, weight })

/** Cubes and bars on a grid: exhaustive over every box, every whole place and every rotation for every set of pieces. */
function leastByTrying({ boxes, items }: CratesInput): { cost: number; crates: number } {
  const pieces = items.flatMap(one => Array.from({ length: one.qty }, () => one))
  const all = 2 ** pieces.length
  const held = boxes.map(one =>
    Array.from(
      { length: all },
      (_, set) =>
        set > 0 &&
        holds(
          one,
          pieces.filter((_piece, index) => set & (1 << index)),
        ),
    ),
  )
  const best = Array.from({ length: all }, () => ({ cost: 0, crates: 0 }))
  for (let set = 1; set < all; set++) {
    let least = { cost: Number.POSITIVE_INFINITY, crates: 0 }
    for (let part = set; part > 0; part = (part - 1) & set)
      boxes.forEach((one, index) => {
        if (!held[index]![part]) return
        const rest = best[set - part]!
        const sum = { cost: one.cost + rest.cost, crates: 1 + rest.crates }
        if (sum.cost < least.cost || (sum.cost === least.cost && sum.crates < least.crates)) least = sum
      })
    best[set] = least
  }
  return best[all - 1]!
}

function holds({ inner: [W, L, D], max_weight, tare }: CrateBox, pieces: CrateItem[]): boolean {
  if (pieces.reduce((sum, { weight }) => sum + weight, 0) + tare > max_weight) return false
  if (pieces.reduce((sum, { size: [w, l, d] }) => sum + w * l * d, 0) > W * L * D) return false
  const placed: { at: Size; size: Size }[] = []
  const isStable = () =>
    placed.every(({ at: [x, y, z], size: [w, l] }) => {
      if (z === 0) return true
      let area = 0
      for (const { at, size } of placed)
        if (at[2] + size[2] === z)
          area +=
            Math.max(0, Math.min(x + w, at[0] + size[0]) - Math.max(x, at[0])) *
            Math.max(0, Math.min(y + l, at[1] + size[1]) - Math.max(y, at[1]))
      return area >= 0.6 * w * l
    })
  const turns = ({ size: [a, b, c], keep_flat }: CrateItem): Size[] =>
    keep_flat
      ? [
          [a, b, c],
          [b, a, c],
        ]
      : [
          [a, b, c],
          [b, a, c],
          [a, c, b],
          [c, a, b],
          [b, c, a],
          [c, b, a],
        ]
  const next = (index: number): boolean => {
    if (index === pieces.length) return isStable()
    for (const size of turns(pieces[index]!))
      for (let x = 0; x + size[0] <= W; x++)
        for (let y = 0; y + size[1] <= L; y++)
          for (let z = 0; z + size[2] <= D; z++) {
            const at: Size = [x, y, z]
            if (
              placed.some(other =>
                at.every((from, axis) => from < other.at[axis]! + other.size[axis]! && other.at[axis]! < from + size[axis]!),
              )
            )
              continue
            placed.push({ at, size })
            if (next(index + 1)) return true
            placed.pop()
          }
    return false
  }
  return next(0)
}

describe('Crates', () => {
  it('are the cheapest, and the smaller where two cost the same', () => {
    const boxes = [box('large', [40, 40, 40], 5), box('dear', [10, 10, 10], 6), box('small', [20, 20, 20], 5)]
    expect(packCrates({ boxes, items: [item('cup', [9, 8, 7])] })).toEqual({
      crates: [{ box: 'small', items: [{ id: 'cup', at: [0, 0, 0], size: expect.any(Array) as unknown }] }],
      cost: 5,
    })
  })

  it('are two where two cost less than one, and one at equal cost', () => {
    const items = [item('a', [10, 10, 10], 2)]
    expect(packCrates({ boxes: [box('one', [10, 10, 10], 3), box('two', [20, 10, 10], 7)], items })).toMatchObject({
      cost: 6,
      crates: [{}, {}],
    })
    expect(packCrates({ boxes: [box('one', [10, 10, 10], 3), box('two', [20, 10, 10], 6)], items })).toMatchObject({
      cost: 6,
      crates: [{ box: 'two' }],
    })
  })

  it('rotate a piece to any side, unless it must stay flat', () => {
    const boxes = [box('tube', [5, 5, 30], 1), box('tray', [30, 30, 5], 9)]
    expect(packCrates({ boxes, items: [item('rod', [30, 4, 4])] }).cost).toBe(1)
    expect(packCrates({ boxes, items: [item('rod', [30, 4, 4], 1, true)] })).toMatchObject({
      cost: 9,
      crates: [{ items: [{ size: [30, 4, 4] }] }],
    })
  })

  it('carry no more than their limit, the empty box included', () => {
    const boxes = [box('b', [100, 100, 100], 1, 1_010)]
    expect(packCrates({ boxes, items: [item('a', [10, 10, 10], 2, false, 500)] }).crates).toHaveLength(1)
    expect(packCrates({ boxes, items: [item('a', [10, 10, 10], 2, false, 501)] }).crates).toHaveLength(2)
  })

  it('weigh about the same where that costs nothing', () => {
    const boxes = [box('b', [20, 20, 20], 1, 20_000)]
    const weights = { iron: 900, wood: 500, foam: 100 }
    const slabs = (qty: [number, number, number]) =>
      Object.entries(weights).map(([id, weight], at) => item(id, [20, 20, 10], qty[at], false, weight))
    const loads = (qty: [number, number, number]) => {
      const { crates, cost } = packCrates({ boxes, items: slabs(qty) })
      const weightOf = (id: string | number) => weights[id as keyof typeof weights]
      return { cost, loads: crates.map(({ items }) => items.reduce((sum, { id }) => sum + weightOf(id), 0)).toSorted((a, b) => a - b) }
    }
    expect(loads([2, 0, 2])).toEqual({ cost: 2, loads: [1_000, 1_000] })
    expect(loads([2, 2, 2])).toEqual({ cost: 3, loads: [1_000, 1_000, 1_000] })
    expect(loads([2, 1, 0])).toEqual({ cost: 2, loads: [900, 1_400] })
  })

  it('support every piece', () => {
    const kinds = [
      { turns: turnsOf([2, 2, 5], true), weight: 1, volume: 20 },
      { turns: turnsOf([10, 10, 2], true), weight: 1, volume: 200 },
    ]
    const { fill, search } = newFiller(kinds, 2)
    const container = { inner: [10, 10, 7], carries: 9 } as const
    expect(fill(container, [0, 1], 'low')).toHaveLength(1)
    expect(fill(container, [1, 0], 'low')).toHaveLength(2)
    expect(search(container, [1, 1], 100)).toHaveLength(2)
  })

  it('hold piles that piece by piece have no place', () => {
    const boxes = [box('one', [10, 9, 15], 2), box('large', [10, 9, 30], 5)]
    const question = { boxes, items: [item('a', [7, 4, 3], 6), item('b', [7, 6, 5], 3)] }
    const answer = packCrates(question)
    expect(faultsOf(question, answer)).toEqual([])
    expect(answer).toMatchObject({ cost: 2, crates: [{ box: 'one' }] })
  })

  it('hold what is measured in fractions', () => {
    const items = [item('a', [3.5, 6.5, 3.5], 3), item('b', [6.5, 6.5, 4.5], 6), item('c', [3.5, 3.5, 4.5], 4)]
    const question = { boxes: [box('one', [10.5, 8.5, 21], 2), box('large', [10.5, 8.5, 42], 5)], items }
    expect(faultsOf(question, packCrates(question))).toEqual([])
  })

  it('are none where nothing is packed', () => {
    expect(packCrates({ boxes: [], items: [] })).toEqual({ crates: [], cost: 0 })
    expect(packCrates({ boxes: [], items: [item('a', [1, 1, 1], 0)] })).toEqual({ crates: [], cost: 0 })
  })

  it('name the item that no box holds', () => {
    const boxes = [box('b', [10, 10, 10], 1, 100)]
    expect(() => packCrates({ boxes, items: [item('a', [1, 1, 1]), item('ladder', [11, 1, 1])] })).toThrow('No box holds item ladder')
    expect(() => packCrates({ boxes, items: [item('anvil', [1, 1, 1], 1, false, 101)] })).toThrow('No box holds item anvil')
    expect(() => packCrates({ boxes: [], items: [item('a', [1, 1, 1])] })).toThrow('No box holds item a')
  })

  it('pass an independent check for any pieces', () => {
    const side = fc.integer({ min: 1, max: 30 })
    const size = fc.tuple(side, side, side)
    const input = fc.record({
      boxes: fc.array(fc.record({ inner: size, max_weight: fc.integer({ min: 15, max: 70 }), tare: fc.nat(10), cost: fc.nat(20) }), {
        maxLength: 6,
      }),
      items: fc.array(fc.record({ size, weight: fc.nat(20), qty: fc.nat(4), keep_flat: fc.boolean() }), { maxLength: 5 }),
    })
    fc.assert(
      fc.property(input, ({ boxes, items }) => {
        const question: CratesInput = {
          boxes: [...boxes.map((one, index) => ({ ...one, name: `B${index}` })), box('all', [30, 30, 30], 25, 70)],
          items: items.map((one, index) => ({ ...one, id: `i${index}` })),
        }
        expect(faultsOf(question, packCrates(question))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('are as cheap and as few as exhaustive search finds', () => {
    let compared = 0
    for (let seed = 1; seed <= 150; seed++) {
      const chance = newChance(seed)
      const side = (most: number) => 1 + chance.below(most)
      const input: CratesInput = {
        boxes: Array.from({ length: 1 + chance.below(3) }, (_, index) =>
          box(`B${index}`, [side(4), side(4), side(3)], 1 + chance.below(6), 14 + chance.below(9)),
        ),
        items: Array.from({ length: 1 + chance.below(3) }, (_, index) =>
          item(`i${index}`, [side(3), side(3), side(2)], 1 + chance.below(2), chance.next() < 0.3, 1 + chance.below(3)),
        ),
      }
      const least = leastByTrying(input)
      if (!Number.isFinite(least.cost)) {
        expect(() => packCrates(input)).toThrow('No box holds item')
        continue
      }
      const answer = packCrates(input)
      expect(faultsOf(input, answer), `seed ${seed}`).toEqual([])
      expect({ cost: answer.cost, crates: answer.crates.length }, `seed ${seed}`).toEqual(least)
      compared++
    }
    expect(compared).toBeGreaterThan(60)
  })

  it('of a web shop pass the check, are deterministic, and never more expensive than layers', () => {
    let ours = 0
    let layers = 0
    for (let seed = 1; seed <= 300; seed++) {
      const order = shopOrder(seed)
      const answer = packCrates(order)
      expect(faultsOf(order, answer), `seed ${seed}`).toEqual([])
      const simple = shelfCost(order)
      expect(answer.cost, `seed ${seed}`).toBeLessThanOrEqual(simple)
      if (seed % 10 === 0) expect(packCrates(order)).toEqual(answer)
      if (!Number.isFinite(simple)) continue
      ours += answer.cost
      layers += simple
    }
    expect(ours).toBeLessThan(layers * 0.9)
  })

  it('of very many pieces pass the check too, with no time limit and with none left', () => {
    const chance = newChance(5)
    const boxes = [box('S', [300, 200, 150], 100, 8_000), box('M', [400, 300, 250], 180, 15_000), box('L', [600, 400, 400], 350, 30_000)]
    const items = Array.from({ length: 90 }, (_, index) =>
      item(
        `i${index}`,
        [20 + chance.below(180), 20 + chance.below(120), 10 + chance.below(90)],
        1 + chance.below(2),
        chance.next() < 0.2,
        chance.below(900),
      ),
    )
    const free = packCrates({ boxes, items })
    expect(faultsOf({ boxes, items }, free)).toEqual([])
    expect(packCrates({ boxes, items })).toEqual(free)
    const hurried = packCrates({ boxes, items, limit_ms: 0 })
    expect(faultsOf({ boxes, items }, hurried)).toEqual([])
    expect(free.cost).toBeLessThanOrEqual(hurried.cost)
  })
})

it('never has a bound above the cost of a valid choice', () => {
  const container = fc.record({
    cost: fc.integer({ min: 1, max: 900 }),
    volume: fc.integer({ min: 1, max: 500 }),
    carries: fc.integer({ min: 1, max: 300 }),
  })
  fc.assert(
    fc.property(
      fc.array(container, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(5), { minLength: 1, maxLength: 7 }),
      (some, chosen) => {
        const containers = some
          .map((one, box) => ({ ...one, box, inner: [1, 1, one.volume] as const }))
          .toSorted((a, b) => a.cost - b.cost || a.volume - b.volume)
        const crates = chosen.map(index => containers[index % containers.length]!)
        const sum = (of: 'cost' | 'volume' | 'carries') => crates.reduce((all, crate) => all + crate[of], 0)
        // Completely full crates: the bound for their content is at most their cost.
        expect(newCovers(containers, sum('cost')).leastFor(sum('volume'), sum('carries'))).toBeLessThanOrEqual(sum('cost') + 1e-6)
      },
    ),
  )
})
