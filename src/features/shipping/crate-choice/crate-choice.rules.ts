/** Which crates an order goes into: rules by SKU first, then the packing engine, then an estimate by volume. */
import { elementAt } from '#domain/objects.ts'
import { fitsAlone, type Size, turnsOf } from '#optimization/boxes/crate-fill.ts'
import { type PackedCrates, packCrates } from '#optimization/boxes/crates.ts'
import type { LeftOutReason } from './crate-choice.codes.ts'

export interface OfferedCrate {
  id: number
  name: string
  code: string
  inner_mm: Size
  tare_g: number
  max_g: number
  cost: number
  filler_percent: number
  /** What the courier charges up to each weight, lightest first, in the currency of `cost`; null where its prices are not known. */
  prices: readonly { max_g: number; amount: number }[] | null
}

/** What the rules that hold for the order say of one item. Crate ids. */
export interface ItemRules {
  must: readonly number[]
  must_not: readonly number[]
  alone: boolean
  keep_flat: boolean
  fragile_top: boolean
  filler_percent: number
  pieces: readonly { crate: number | null; pieces: number }[]
}

export interface ItemToPack {
  id: number
  /** Null where a side is not known. */
  size_mm: Size | null
  weight_g: number | null
  qty: number
  rules: ItemRules
}

interface SuggestedCrate {
  crate: OfferedCrate
  /** Null where the sizes are not all known. */
  fill_percent: number | null
  /** With the crate itself; null where a weight is not known. */
  weight_g: number | null
  /** What the courier charges; null where prices or weights are not known. */
  postage: number | null
  /** Pieces from the floor up; empty where it is not known how they lie. */
  items: PackedCrates['crates'][number]['items']
}

export interface CrateSuggestion {
  /**
   * `rule`: a rule left no other crate; `learned`: what packers used for the same basket, or what a person decided for it; `estimate`: by
   * volume alone, because sizes are missing or there are very many pieces.
   */
  status: 'exact' | 'rule' | 'learned' | 'estimate' | 'none'
  crates: SuggestedCrate[]
  /** Items that go into no crate that they may go into. */
  too_large: number[]
}

export interface LeftOut<C> {
  crate: C
  why: LeftOutReason
  /** The item that does not go into it. */
  item: number | null
}

/** The first reason against each crate that is offered but not suggested. */
export function whyNot(
  crates: readonly OfferedCrate[],
  items: readonly ItemToPack[],
  suggestion: CrateSuggestion,
): LeftOut<OfferedCrate>[] {
  const wanted = items.filter(item => item.qty > 0)
  const chosen = new Set(suggestion.crates.map(({ crate }) => crate.id))
  const paid = suggestion.crates.reduce((sum, { crate, postage }) => sum + crate.cost + (postage ?? 0), 0)
  const volume = wanted.reduce((sum, { size_mm, qty }) => sum + (size_mm ? volumeOf(size_mm) * qty : 0), 0)
  const weight = wanted.reduce((sum, { weight_g, qty }) => sum + (weight_g ?? 0) * qty, 0)
  const against = (crate: OfferedCrate): Omit<LeftOut<OfferedCrate>, 'crate'> => {
    const ruled = wanted.find(item => allowedFor([crate], [item]).length === 0)
    if (ruled) return { why: 'rule', item: ruled.id }
    const heavy = wanted.find(item => crate.tare_g + (item.weight_g ?? 0) > crate.max_g)
    if (heavy) return { why: 'too_heavy', item: heavy.id }
    const large = wanted.find(item => item.size_mm !== null && !holds(crate, item))
    if (large) return { why: 'too_small', item: large.id }
    if (volume > volumeOf(innerOf(crate, 0))) return { why: 'volume', item: null }
    if (crate.tare_g + weight > crate.max_g) return { why: 'weight', item: null }
    // The cheapest is suggested, so a cheaper one that held everything would have been.
    const cost = crate.cost + (postageOf(crate, crate.tare_g + weight) ?? 0)
    return { why: suggestion.crates.length > 0 && cost >= paid ? 'dearer' : 'arrangement', item: null }
  }
  return crates.filter(crate => !chosen.has(crate.id)).map(crate => ({ crate, ...against(crate) }))
}

/** More pieces than these get an estimate. */
export const mostPieces = 200
/** Share of a crate that an estimate fills. */
const usualFill = 0.7
/** Up to so many pieces the search ends by itself within 50 ms, and without a clock it gives the same answer on a busy server. */
const fewPieces = 20
const limitMs = 50

/** The same order gets the same crates each time it is asked for, up to 20 pieces. */
export function suggestCrates(crates: readonly OfferedCrate[], items: readonly ItemToPack[]): CrateSuggestion {
  const wanted = items.filter(item => item.qty > 0)
  const none = (too_large: number[] = []): CrateSuggestion => ({ status: 'none', crates: [], too_large })
  if (crates.length === 0 || wanted.length === 0) return none()
  const pieces = wanted.reduce((sum, item) => sum + item.qty, 0)
  const known = wanted.every(item => item.size_mm !== null)
  if (pieces > mostPieces || !known) return estimate(crates, wanted) ?? none()
  const too_large = wanted.filter(item => !allowedFor(crates, [item]).some(crate => holds(crate, item))).map(item => item.id)
  if (too_large.length > 0) return none(too_large)
  const groups = groupsOf(crates, wanted)
  const packed = groups.flatMap(group => packGroup(group, pieces > fewPieces ? limitMs / groups.length : undefined))
  const ruled = wanted.some(item => item.rules.must.length > 0 || item.rules.alone || item.rules.pieces.length > 0)
  return { status: ruled ? 'rule' : 'exact', crates: packed, too_large: [] }
}

interface Group {
  crates: readonly OfferedCrate[]
  items: readonly ItemToPack[]
}

/** Pieces that go alone, those that a rule counts into a crate, fragile ones, and the rest together as far as their crates agree. */
function groupsOf(crates: readonly OfferedCrate[], items: readonly ItemToPack[]): Group[] {
  const groups: Group[] = []
  let rest: ItemToPack[] = []
  for (const item of items) {
    const allowed = allowedFor(crates, [item])
    if (item.rules.alone) {
      for (let piece = 0; piece < item.qty; piece++) groups.push({ crates: allowed, items: [{ ...item, qty: 1 }] })
      continue
    }
    let left = item.qty
    for (const rule of item.rules.pieces.toSorted((a, b) => b.pieces - a.pieces)) {
      const into = rule.crate === null ? allowed : allowed.filter(crate => crate.id === rule.crate)
      const chunk = { ...item, qty: rule.pieces }
      if (into.length === 0 || !into.some(crate => holdsByCount(crate, chunk))) continue
      for (; left >= rule.pieces; left -= rule.pieces) groups.push({ crates: into, items: [chunk] })
    }
    if (left > 0) rest.push({ ...item, qty: left })
  }
  // Nothing may lie on a fragile piece, so it shares a crate with nothing.
  for (const item of rest.filter(one => one.rules.fragile_top))
    for (let piece = 0; piece < item.qty; piece++) groups.push({ crates: allowedFor(crates, [item]), items: [{ ...item, qty: 1 }] })
  rest = rest.filter(one => !one.rules.fragile_top)
  if (rest.length === 0) return groups
  const together = allowedFor(crates, rest)
  if (rest.every(item => together.some(crate => holds(crate, item)))) return [...groups, { crates: together, items: rest }]
  const apart = Map.groupBy(rest, item =>
    allowedFor(crates, [item])
      .map(crate => crate.id)
      .join(' '),
  )
  return [...groups, ...[...apart.values()].map(some => ({ crates: allowedFor(crates, some), items: some }))]
}

function allowedFor(crates: readonly OfferedCrate[], items: readonly ItemToPack[]): OfferedCrate[] {
  return crates.filter(({ id }) => items.every(({ rules }) => mayGoInto(rules, id)))
}

/** Whether a product's rules allow this crate. */
export const mayGoInto = ({ must, must_not }: Pick<ItemRules, 'must' | 'must_not'>, crate_id: number): boolean =>
  (must.length === 0 || must.includes(crate_id)) && !must_not.includes(crate_id)

const volumeOf = ([a, b, c]: Size): number => a * b * c

/** Measured sides are not exact, and cardboard bends: ten percent of slack. */
const slack = 1.1

/**
 * Whether these pieces certainly do not go into the box, however they are turned or tilted: one solid within another has no larger volume,
 * no larger sum of sides, and is no thicker. Pieces without sizes are passed over.
 */
export function isTooSmall(
  inner_mm: readonly number[],
  pieces: readonly { size_mm: Size | readonly number[] | null; qty: number }[],
): boolean {
  const inner = inner_mm.map(side => side * slack)
  const sum = (sides: readonly number[]) => sides.reduce((all, side) => all + side, 0)
  const product = (sides: readonly number[]) => sides.reduce((all, side) => all * side, 1)
  const known = pieces.flatMap(({ size_mm, qty }) => (size_mm === null || qty <= 0 ? [] : [{ size: size_mm, qty }]))
  return (
    known.some(({ size }) => sum(size) > sum(inner) || Math.min(...size) > Math.min(...inner)) ||
    known.reduce((all, { size, qty }) => all + product(size) * qty, 0) > product(inner_mm) * slack
  )
}

/** The courier's price of the packed crate; null where it is not known. */
const postageOf = ({ prices }: OfferedCrate, weight_g: number | null): number | null =>
  weight_g === null ? null : (prices?.find(({ max_g }) => weight_g <= max_g)?.amount ?? null)

/** One box of the engine for each crate and price: a crate that is packed lighter may cost less to send. */
const mostBoxes = 60
interface PricedBox {
  crate: OfferedCrate
  max_g: number
  cost: number
}

function pricedBoxes(crates: readonly OfferedCrate[], items: readonly ItemToPack[]): PricedBox[] {
  const weights = items.map(item => item.weight_g ?? 0)
  const lightest = Math.min(...weights)
  const all = items.reduce((sum, item) => sum + (item.weight_g ?? 0) * item.qty, 0)
  const boxes = crates.flatMap((crate): PricedBox[] => {
    if (crate.prices === null) return [{ crate, max_g: crate.max_g, cost: crate.cost }]
    const useful = crate.prices.filter(({ max_g }) => max_g >= crate.tare_g + lightest)
    // Above the one that takes everything a price is paid for nothing.
    const enough = useful.findIndex(({ max_g }) => max_g >= crate.tare_g + all)
    return (enough < 0 ? useful : useful.slice(0, enough + 1)).map(({ max_g, amount }) => ({
      crate,
      max_g: Math.min(max_g, crate.max_g),
      cost: crate.cost + amount,
    }))
  })
  if (boxes.length <= mostBoxes) return boxes
  const largest = boxes.reduce((a, b) => (volumeOf(b.crate.inner_mm) * b.max_g > volumeOf(a.crate.inner_mm) * a.max_g ? b : a))
  const cheapest = boxes
    .filter(box => box !== largest)
    .toSorted((a, b) => a.cost / volumeOf(a.crate.inner_mm) - b.cost / volumeOf(b.crate.inner_mm))
  return [...cheapest.slice(0, mostBoxes - 1), largest]
}
/** Filling lies on top. */
const innerOf = ({ inner_mm: [l, w, h], filler_percent }: OfferedCrate, filler: number): Size => [
  l,
  w,
  Math.floor(h * (1 - Math.max(filler_percent, filler) / 100)),
]

const holds = (crate: OfferedCrate, { size_mm, weight_g, rules }: ItemToPack): boolean =>
  size_mm !== null &&
  fitsAlone(
    { inner: innerOf(crate, rules.filler_percent), carries: crate.max_g - crate.tare_g },
    { turns: turnsOf(size_mm, rules.keep_flat), weight: weight_g ?? 0, volume: volumeOf(size_mm) },
  )

/** A rule says how many pieces a crate holds, so only the weight and each piece's sides are checked. */
const holdsByCount = (crate: OfferedCrate, item: ItemToPack): boolean =>
  holds(crate, item) && crate.tare_g + (item.weight_g ?? 0) * item.qty <= crate.max_g

function packGroup({ crates, items }: Group, limit_ms: number | undefined): SuggestedCrate[] {
  const filler = Math.max(...items.map(item => item.rules.filler_percent))
  const boxes = pricedBoxes(crates, items)
  const { crates: packed } = packCrates({
    boxes: boxes.map(({ crate, max_g, cost }, index) => ({
      name: String(index),
      inner: innerOf(crate, filler),
      max_weight: max_g,
      tare: crate.tare_g,
      cost,
    })),
    items: items.flatMap(({ id, size_mm, weight_g, qty, rules }) =>
      size_mm ? [{ id, size: size_mm, weight: weight_g ?? 0, qty, keep_flat: rules.keep_flat }] : [],
    ),
    limit_ms,
  })
  const weights = new Map(items.map(item => [item.id, item.weight_g]))
  return packed.map(({ box, items: placed }) => {
    const { crate } = elementAt(boxes, Number(box))
    const volume = placed.reduce((sum, { size }) => sum + volumeOf(size), 0)
    const weight_g = withTare(
      crate,
      placed.map(({ id }) => weights.get(Number(id)) ?? null),
    )
    return {
      crate,
      fill_percent: Math.round((100 * volume) / volumeOf(crate.inner_mm)),
      weight_g,
      postage: postageOf(crate, weight_g),
      items: placed,
    }
  })
}

function withTare({ tare_g }: OfferedCrate, weights: readonly (number | null)[]): number | null {
  return weights.reduce<number | null>((sum, weight) => (sum === null || weight === null ? null : sum + weight), tare_g)
}

/** One crate by the volume that is known; null where nothing is known, or no crate is large enough. */
function estimate(crates: readonly OfferedCrate[], items: readonly ItemToPack[]): CrateSuggestion | null {
  const sized = items.flatMap(({ size_mm, qty }) => (size_mm ? [{ size_mm, qty }] : []))
  if (sized.length === 0) return null
  const volume = sized.reduce((sum, { size_mm, qty }) => sum + volumeOf(size_mm) * qty, 0)
  const longest = Math.max(...sized.flatMap(({ size_mm }) => size_mm))
  const weight = items.reduce((sum, { weight_g, qty }) => sum + (weight_g ?? 0) * qty, 0)
  const fitting = allowedFor(crates, items).filter(
    crate =>
      volumeOf(crate.inner_mm) * usualFill >= volume && Math.max(...crate.inner_mm) >= longest && crate.tare_g + weight <= crate.max_g,
  )
  const costOf = (crate: OfferedCrate) => crate.cost + (postageOf(crate, crate.tare_g + weight) ?? 0)
  const [crate] = fitting.toSorted((a, b) => costOf(a) - costOf(b) || volumeOf(a.inner_mm) - volumeOf(b.inner_mm))
  return crate ? { status: 'estimate', crates: [unplaced(crate, items)], too_large: [] } : null
}

/** Everything in one crate, without knowing how it lies. */
function unplaced(crate: OfferedCrate, items: readonly ItemToPack[]): SuggestedCrate {
  const weight = items.reduce((sum, { weight_g, qty }) => sum + (weight_g ?? 0) * qty, 0)
  const weight_g = items.every(item => item.weight_g !== null) ? crate.tare_g + weight : null
  return { crate, fill_percent: null, weight_g, postage: postageOf(crate, weight_g), items: [] }
}

/** What became of the last parcels with the same basket, the newest first. Crate ids. */
export interface BasketHistory {
  /** A person decided that this basket goes into this crate. */
  adopted: number | null
  choices: readonly { suggested: number | null; used: number }[]
}

/** So many of the last ten parcels speak against a suggestion, or for a crate where sizes are missing. */
const enoughChoices = 3
/** Share of the parcels that a learned crate needs where nothing is measured. */
const learnedShare = 0.6

/**
 * The suggestion with what packers did: measured sizes count before habit, until habit contradicts them three times. Then the crate that
 * was too small is passed over, and one that was too large gives way to the smaller one that was used.
 */
export function suggestByHistory(
  crates: readonly OfferedCrate[],
  items: readonly ItemToPack[],
  { adopted, choices }: BasketHistory,
): CrateSuggestion {
  const wanted = items.filter(item => item.qty > 0)
  const learned = (id: number | null): CrateSuggestion | null => {
    const crate = allowedFor(crates, wanted).find(one => one.id === id)
    if (!crate || wanted.length === 0) return null
    const fits = wanted.every(item => holds(crate, item)) && wanted.reduce((sum, item) => sum + item.qty, 0) <= mostPieces
    const [only, ...more] = fits ? packGroup({ crates: [crate], items: wanted }, limitMs) : []
    return { status: 'learned', crates: [only && more.length === 0 ? only : unplaced(crate, wanted)], too_large: [] }
  }
  const decided = learned(adopted)
  if (decided) return decided
  const first = suggestCrates(crates, items)
  if (first.status === 'estimate' || first.status === 'none') {
    const [most] = [...Map.groupBy(choices, choice => choice.used)].toSorted(([, a], [, b]) => b.length - a.length)
    const often = most !== undefined && most[1].length >= enoughChoices && most[1].length >= choices.length * learnedShare
    return (often ? learned(most[0]) : null) ?? first
  }
  const [only] = first.crates.length === 1 ? first.crates : []
  if (!only) return first
  const volumes = new Map(crates.map(({ id, inner_mm }) => [id, volumeOf(inner_mm)]))
  const own = volumeOf(only.crate.inner_mm)
  const replaced = choices.filter(({ suggested, used }) => suggested === only.crate.id && used !== suggested)
  const larger = replaced.filter(({ used }) => (volumes.get(used) ?? 0) > own)
  if (larger.length >= enoughChoices) {
    const others = suggestCrates(
      crates.filter(crate => crate.id !== only.crate.id),
      items,
    )
    return others.crates.length > 0 ? { ...others, status: 'learned' } : first
  }
  const smaller = replaced.filter(({ used }) => (volumes.get(used) ?? own) < own)
  return (smaller.length >= enoughChoices ? learned(smaller[0]?.used ?? null) : null) ?? first
}
