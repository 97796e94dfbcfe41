/** What a parcel costs by the courier's price table. */
import { barePostcode, coversPostcode, type PostcodeRange } from '#domain/postcode-ranges.ts'

export interface PriceZone {
  id: number
  name: string
  countries: readonly string[]
  /** None: the whole countries. */
  postcodes: readonly PostcodeRange[]
}

export interface PriceStep {
  zone_id: number | null
  max_g: number
  max_length_mm: number | null
  max_side_sum_mm: number | null
  volume_divisor: number | null
  amount: number
  per_kg_amount: number | null
  currency: string
}

export interface PriceSurcharge {
  name: string
  zone_id: number | null
  amount: number | null
  currency: string | null
  percent_milli: number | null
  over_g: number | null
  over_length_mm: number | null
}

/** What holds on one day for one shipping method. */
export interface PriceTable {
  zones: readonly PriceZone[]
  steps: readonly PriceStep[]
  surcharges: readonly PriceSurcharge[]
}

export interface PricedParcel {
  country: string
  postcode: string
  weight_g: number
  /** Outside; null where it is not known. Prices that depend on it are then left out. */
  outer_mm: readonly [number, number, number] | null
}

export interface ParcelPrice {
  /** Minor units, surcharges included. */
  amount: number
  currency: string
  charged_g: number
  zone: string | null
  /** The step, whose name is empty, then each surcharge. */
  parts: { name: string; amount: number }[]
}

/** `no_price`: the table has nothing for the place; `too_heavy`, `too_large`: no step reaches that far. */
export type NoPrice = 'no_price' | 'too_heavy' | 'too_large'

/** The zone of a place; one that names postcodes comes before one of whole countries. */
export function zoneOf(zones: readonly PriceZone[], country: string, postcode: string): PriceZone | null {
  const code = barePostcode(postcode)
  const here = zones.filter(zone => zone.countries.includes(country))
  return (
    here.find(zone => zone.postcodes.some(range => coversPostcode(range, code))) ?? here.find(zone => zone.postcodes.length === 0) ?? null
  )
}

/** Steps of the zone; where it has none, those that hold everywhere. */
function stepsFor({ steps }: PriceTable, zone: PriceZone | null): readonly PriceStep[] {
  const own = zone ? steps.filter(step => step.zone_id === zone.id) : []
  return own.length > 0 ? own : steps.filter(step => step.zone_id === null)
}

/** Grams that the courier charges: the weight, or the volume as a weight. */
function chargedGrams({ volume_divisor }: PriceStep, { weight_g, outer_mm }: Pick<PricedParcel, 'weight_g' | 'outer_mm'>): number {
  if (volume_divisor === null || outer_mm === null) return weight_g
  const [length, width, height] = outer_mm
  // Cubic millimetres ÷ 1,000 = cubic centimetres; ÷ divisor = kilograms.
  return Math.max(weight_g, Math.ceil((length * width * height) / volume_divisor))
}

function withinLimits({ max_length_mm, max_side_sum_mm }: PriceStep, outer_mm: PricedParcel['outer_mm']): boolean {
  if (max_length_mm === null && max_side_sum_mm === null) return true
  if (outer_mm === null) return false
  const sum = outer_mm.reduce((all, side) => all + side, 0)
  return Math.max(...outer_mm) <= (max_length_mm ?? Number.POSITIVE_INFINITY) && sum <= (max_side_sum_mm ?? Number.POSITIVE_INFINITY)
}

/** The step below with the same limits: kilograms are counted from its end. */
function endOfStepBefore(steps: readonly PriceStep[], { max_g, max_length_mm, max_side_sum_mm, currency }: PriceStep): number {
  const lower = steps.filter(
    one => one.max_g < max_g && one.max_length_mm === max_length_mm && one.max_side_sum_mm === max_side_sum_mm && one.currency === currency,
  )
  return Math.max(0, ...lower.map(one => one.max_g))
}

function amountOf(steps: readonly PriceStep[], step: PriceStep, charged_g: number): number {
  const above = Math.max(0, charged_g - endOfStepBefore(steps, step))
  return step.amount + (step.per_kg_amount ?? 0) * Math.ceil(above / 1_000)
}

/** The cheapest step that reaches the parcel, its surcharges, then those of kind percent on the sum, each rounded half up once. */
export function priceOf(table: PriceTable, parcel: PricedParcel): ParcelPrice | NoPrice {
  const zone = zoneOf(table.zones, parcel.country, parcel.postcode)
  const steps = stepsFor(table, zone)
  if (steps.length === 0) return 'no_price'
  const sized = steps.filter(step => withinLimits(step, parcel.outer_mm))
  if (sized.length === 0) return 'too_large'
  const [best] = sized
    .map(step => ({ step, charged_g: chargedGrams(step, parcel) }))
    .filter(({ step, charged_g }) => charged_g <= step.max_g)
    .map(one => ({ ...one, amount: amountOf(steps, one.step, one.charged_g) }))
    .toSorted((a, b) => a.amount - b.amount || a.step.max_g - b.step.max_g)
  if (!best) return 'too_heavy'
  const longest = parcel.outer_mm === null ? 0 : Math.max(...parcel.outer_mm)
  const due = table.surcharges.filter(
    one =>
      (one.zone_id === null || one.zone_id === zone?.id) &&
      (one.currency === null || one.currency === best.step.currency) &&
      (one.over_g === null && one.over_length_mm === null
        ? true
        : (one.over_g !== null && parcel.weight_g > one.over_g) || (one.over_length_mm !== null && longest > one.over_length_mm)),
  )
  const parts = [{ name: '', amount: best.amount }, ...due.flatMap(({ name, amount }) => (amount === null ? [] : [{ name, amount }]))]
  const base = parts.reduce((sum, part) => sum + part.amount, 0)
  for (const { name, percent_milli } of due) {
    if (percent_milli !== null) parts.push({ name, amount: Math.floor((base * percent_milli) / 100_000 + 0.5) })
  }
  return {
    amount: parts.reduce((sum, part) => sum + part.amount, 0),
    currency: best.step.currency,
    charged_g: best.charged_g,
    zone: zone?.name ?? null,
    parts,
  }
}

export interface PricedOrder {
  ship_country: string
  postcode: string
  weight_g: number
}

export interface Saving {
  /** Minor units; below zero where one parcel costs more. */
  amount: number
  currency: string
}

/** What one parcel with all orders costs less than a parcel for each; null where one of them has no price. */
export function savingOf(table: PriceTable, orders: readonly PricedOrder[]): Saving | null {
  const [first] = orders
  if (!first || orders.length < 2) return null
  const of = ({ ship_country, postcode, weight_g }: PricedOrder) =>
    priceOf(table, { country: ship_country, postcode, weight_g, outer_mm: null })
  const together = of({ ...first, weight_g: orders.reduce((sum, order) => sum + order.weight_g, 0) })
  if (typeof together === 'string') return null
  let amount = -together.amount
  for (const order of orders) {
    const price = of(order)
    if (typeof price === 'string' || price.currency !== together.currency) return null
    amount += price.amount
  }
  return { amount, currency: together.currency }
}

/** With prices by kilogram each one is a limit of its own; more than these are not distinguished. */
const mostLimits = 60

/**
 * Weights up to which a parcel of this size has one price, lightest first: what the packing engine compares boxes by. Above the last one
 * the courier takes nothing.
 */
export function priceLimits(
  table: PriceTable,
  parcel: Omit<PricedParcel, 'weight_g'>,
  /** Heavier ones are not asked about. */
  most_g: number,
): { max_g: number; amount: number; currency: string }[] {
  const steps = stepsFor(table, zoneOf(table.zones, parcel.country, parcel.postcode))
  const ends = new Set<number>()
  for (const step of steps) {
    ends.add(step.max_g)
    if (step.per_kg_amount !== null)
      for (let g = endOfStepBefore(steps, step) + 1_000; g < Math.min(step.max_g, most_g + 1_000); g += 1_000) ends.add(g)
  }
  for (const { over_g } of table.surcharges) if (over_g !== null) ends.add(over_g)
  const limits: { max_g: number; amount: number; currency: string }[] = []
  for (const max_g of [...ends].toSorted((a, b) => a - b)) {
    const price = priceOf(table, { ...parcel, weight_g: max_g })
    if (typeof price === 'string') continue
    const { amount, currency } = price
    const last = limits.at(-1)
    // A heavier parcel at no higher price makes the lighter limit pointless.
    if (last && last.currency === currency && last.amount >= amount) limits.pop()
    limits.push({ max_g, amount, currency })
    if (max_g >= most_g) break
  }
  return limits.slice(0, mostLimits)
}
