/** Slotting advice: which products should change places, measured by walking again what was really picked. */
import {
  type ActiveMap,
  type MeasuredMap,
  metres,
  type PastWalk,
  type PastWalks,
  sampled,
  tourOf,
} from '#features/warehouse/map-results/walks.rules.ts'
import { binKey } from '#features/warehouse/warehouse-maps/bins.rules.ts'
import type { Slotting } from './slotting.schemas.ts'

export interface SlottedProduct {
  product_id: number
  company: string
  sku: string
  name: string
  bin: string
  picks: number
}

/** What a worker thread computes advice from. */
export interface SlottingTask {
  map: MeasuredMap
  past: PastWalks
  products: SlottedProduct[]
  most: number
}

export type SlottingAdvice = Omit<Slotting, 'result_id'>

type Walkable = Pick<ActiveMap, 'distances' | 'cellOfBin' | 'start' | 'end' | 'drawing'>

/** What is measured at most: the answer is waited for. */
const mostWalks = 120
const mostTrials = 400
const mostMs = 15_000
/** Products that are walked for most, and places that are nearest. */
const mostProducts = 200
const mostPlaces = 3_000

/**
 * Greedy: of all pairs of a product that is asked for often and far away with a nearer place whose product is asked for less
 * (or that is free), the most promising are tried one after the other. Each is measured by walking anew every walk that it
 * touches – roughly at first, then properly – and kept when it saves metres; a product moves once.
 */
export function slottingOf(
  map: Walkable,
  past: { since: string; walks: readonly PastWalk[] },
  products: readonly SlottedProduct[],
  most: number,
): SlottingAdvice {
  const began = performance.now()
  const { distances, start, end } = map
  const depth = (cell: number) => distances.between(start, cell) + distances.between(cell, end)
  const place = new Map<number, { product: SlottedProduct; bin: string; cell: number }>()
  for (const product of products) {
    const cell = map.cellOfBin(product.bin)
    if (cell !== null && Number.isFinite(depth(cell))) place.set(product.product_id, { product, bin: product.bin, cell })
  }
  const days = new Set(past.walks.map(walk => walk.day)).size
  const cellsOf = (ids: readonly number[]) => [...new Set(ids.flatMap(id => place.get(id)?.cell ?? []))]
  // Only what still has a place on the map is walked to; a walk is given by its products, wherever they lie then.
  const walks = sampled(past.walks, mostWalks)
    .map(({ lines }) => [
      ...new Set(lines.flatMap(line => (line.product_id !== null && place.has(line.product_id) ? [line.product_id] : []))),
    ])
    .filter(ids => ids.length > 0)
    // Where one-way aisles leave no walk through all of them, nothing can be compared.
    .filter(ids => Number.isFinite(tourOf(map, cellsOf(ids)).length))
  const scale = walks.length === 0 ? 0 : past.walks.length / Math.max(1, Math.min(past.walks.length, mostWalks)) / Math.max(1, days)

  const properly = (i: number): number => tourOf(map, cellsOf(walks[i] ?? [])).length
  const roughly = (i: number): number => insertedLength(map, cellsOf(walks[i] ?? []))
  const lengths = walks.map((_, i) => properly(i))
  const rough = walks.map((_, i) => roughly(i))
  const total = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0)
  const before = total(lengths)

  const on = new Map<number, number[]>()
  for (const [i, ids] of walks.entries()) for (const id of ids) on.set(id, [...(on.get(id) ?? []), i])
  const often = (id: number | undefined) => (id === undefined ? 0 : (on.get(id)?.length ?? 0))

  const inBin = Map.groupBy(place.values(), one => binKey(one.bin))
  const all = map.drawing.locations.flatMap(({ code }) => {
    const cell = map.cellOfBin(code)
    const there = inBin.get(binKey(code)) ?? []
    if (cell === null || !Number.isFinite(depth(cell))) return []
    // Where several products share a bin, the one that is asked for least moves out.
    const [least] = there.toSorted((a, b) => often(a.product.product_id) - often(b.product.product_id))
    return [{ bin: least?.bin ?? code, cell, id: least?.product.product_id }]
  })
  const targets = all.sort((a, b) => depth(a.cell) - depth(b.cell)).slice(0, mostPlaces)
  const weight = (one: { product: SlottedProduct; cell: number }) => often(one.product.product_id) * depth(one.cell)
  const hot = [...place.values()].sort((a, b) => weight(b) - weight(a)).slice(0, mostProducts)
  const candidates: { gain: number; id: number; to: (typeof targets)[number] }[] = []
  for (const { product, cell } of hot) {
    const times = often(product.product_id)
    if (times === 0) continue
    const better = targets
      .map(to => ({ gain: (times - often(to.id)) * (depth(cell) - depth(to.cell)), id: product.product_id, to }))
      .filter(one => one.gain > 0 && one.to.cell !== cell && often(one.to.id) < times)
      .sort((a, b) => b.gain - a.gain)
    candidates.push(...better.slice(0, 25))
  }
  candidates.sort((a, b) => b.gain - a.gain || a.id - b.id || a.to.cell - b.to.cell)

  // Less than a metre a day is not worth the work of moving goods.
  const worth = (dm: number) => (dm * scale < 10 ? 0 : dm)
  const moved = new Set<number>()
  const taken = new Set<string>()
  const swaps: Slotting['swaps'] = []
  let saved = 0
  let trials = 0
  for (const { id, to } of candidates) {
    if (swaps.length >= most || trials >= mostTrials || performance.now() - began > mostMs) break
    const mine = place.get(id)
    const other = to.id === undefined ? null : (place.get(to.id) ?? null)
    if (!mine || moved.has(id) || taken.has(to.bin) || (other && moved.has(other.product.product_id))) continue
    trials++
    const touched = [...new Set([...(on.get(id) ?? []), ...(other ? (on.get(other.product.product_id) ?? []) : [])])]
    const from = { ...mine }
    place.set(id, { ...mine, bin: to.bin, cell: to.cell })
    if (other) place.set(other.product.product_id, { ...other, bin: from.bin, cell: from.cell })
    const keep = () => {
      const quick = touched.map(roughly)
      if (worth(total(touched.map(i => rough[i] ?? 0)) - total(quick)) <= 0) return 0
      const after = touched.map(properly)
      const gain = total(touched.map(i => lengths[i] ?? 0)) - total(after)
      if (worth(gain) <= 0) return 0
      for (const [at, i] of touched.entries()) {
        lengths[i] = after[at] ?? 0
        rough[i] = quick[at] ?? 0
      }
      return gain
    }
    const gain = keep()
    if (gain === 0) {
      place.set(id, from)
      if (other) place.set(other.product.product_id, other)
      continue
    }
    saved += gain
    moved.add(id)
    if (other) moved.add(other.product.product_id)
    taken.add(to.bin).add(from.bin)
    swaps.push({
      product: shown(mine.product),
      from_bin: from.bin,
      to_bin: to.bin,
      other: other && shown(other.product),
      saved_metres_per_day: metres(gain * scale),
    })
  }
  return {
    since: past.since,
    days,
    walks: past.walks.length,
    metres_per_day: metres(before * scale),
    saved_metres_per_day: metres(saved * scale),
    swaps,
  }
}

/** Decimetres of a walk into which the farthest place was put first, each where it costs least: near the shortest, and fast. */
function insertedLength({ distances, start, end }: Walkable, cells: readonly number[]): number {
  const route = [start, end]
  let length = distances.between(start, end)
  for (const cell of [...cells].sort((a, b) => distances.between(start, b) - distances.between(start, a))) {
    let [least, place] = [Number.POSITIVE_INFINITY, 1]
    for (let at = 1; at < route.length; at++) {
      const [a = start, b = end] = [route[at - 1], route[at]]
      const more = distances.between(a, cell) + distances.between(cell, b) - distances.between(a, b)
      if (more < least) [least, place] = [more, at]
    }
    route.splice(place, 0, cell)
    length += least
  }
  return length
}

const shown = ({ product_id, company, sku, name, picks }: SlottedProduct): Slotting['swaps'][number]['product'] => ({
  product_id,
  company,
  sku,
  name,
  picks,
})
