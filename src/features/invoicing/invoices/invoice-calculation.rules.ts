/**
 * The sums of an invoice. Each parcel is converted as a whole, so that its lines and its sum agree; what rounding leaves over goes on
 * the largest line. The weight of the packaging is shared out by net weight, so that lines and parcels weigh the same.
 */
import { convertedLines, shared } from '#domain/customs/conversion.ts'
import type { Grouping } from '#features/invoicing/bulk-invoicing/bulk-invoicing.codes.ts'
import type { Gap } from './invoices.codes.ts'

export interface ParcelItem {
  sku: string | null
  description: string
  quantity: number
  hs_code: string | null
  origin: string | null
  /** Minor units of its currency, of the whole item. */
  value: number | null
  currency: string | null
  net_g: number | null
}

export interface ParcelContents {
  shipment_id: number
  /** With packaging. */
  weight_g: number
  items: readonly ParcelItem[]
}

export interface InvoiceTerms {
  currency: string
  grouping: Grouping
  hs_digits: number
  /** By the currency that is converted: what one unit is worth, as decimal text. */
  rates: ReadonlyMap<string, string>
}

export interface InvoiceLine {
  hs_code: string
  origin: string
  sku: string | null
  description: string
  quantity: number
  value: number
  net_g: number
  gross_g: number
  rounding: number
  parcels: number
}

export interface ParcelSums {
  shipment_id: number
  value: number
  net_g: number
  gross_g: number
}

export interface InvoiceSums {
  lines: InvoiceLine[]
  parcels: ParcelSums[]
  total: number
  rounding: number
  net_g: number
  gross_g: number
  /** Currencies without a rate: nothing of them is in the sums. */
  missing_rates: string[]
}

const tariffCode = (written: string | null): string => (written ?? '').replace(/\D/g, '')

/** What customs ask for and the parcel does not say. */
export function gapsOf(items: readonly ParcelItem[]): Gap[] {
  if (items.length === 0) return ['contents']
  const missing = (some: (item: ParcelItem) => boolean, gap: Gap): Gap[] => (items.some(some) ? [gap] : [])
  return [
    ...missing(item => tariffCode(item.hs_code).length < 6, 'hs'),
    ...missing(item => !/^[A-Z]{2}$/.test(item.origin ?? ''), 'origin'),
    ...missing(item => item.description.trim() === '', 'description'),
    ...missing(item => !((item.net_g ?? 0) > 0), 'weight'),
    ...missing(item => !((item.value ?? 0) > 0) || item.currency === null, 'value'),
  ]
}

interface Priced {
  item: ParcelItem
  value: number
  rounding: number
}

/** Items of one parcel in the invoice's currency; null where a rate is missing. */
function priced(items: readonly ParcelItem[], { currency, rates }: InvoiceTerms): Priced[] | null {
  const result: Priced[] = items.map(item => ({ item, value: item.value ?? 0, rounding: 0 }))
  for (const from of new Set(items.flatMap(item => item.currency ?? []))) {
    if (from === currency) continue
    const rate = rates.get(from)
    if (rate === undefined) return null
    const of = result.filter(one => one.item.currency === from)
    const lines = convertedLines(
      of.map(one => one.value),
      { from, to: currency, rate },
    )
    for (const [at, one] of of.entries()) {
      one.value = lines[at]?.amount ?? 0
      one.rounding = lines[at]?.rounding ?? 0
    }
  }
  return result
}

interface Group extends InvoiceLine {
  /** Value by description. */
  descriptions: Map<string, number>
  in: Set<number>
}

/** The texts of a line, that of the highest value first, as far as they fit. */
function joined(descriptions: ReadonlyMap<string, number>): string {
  const [first = '', ...others] = [...descriptions].toSorted((one, other) => other[1] - one[1]).map(([text]) => text)
  let text = first.slice(0, 100)
  for (const other of others) if (text.length + other.length + 2 <= 100) text += `, ${other}`
  return text
}

export function invoiceSums(parcels: readonly ParcelContents[], terms: InvoiceTerms): InvoiceSums {
  const groups = new Map<string, Group>()
  const sums: ParcelSums[] = []
  const missing = new Set<string>()
  for (const { shipment_id, weight_g, items } of parcels) {
    const prices = priced(items, terms)
    if (prices === null)
      for (const { currency } of items)
        if (currency !== null && currency !== terms.currency && !terms.rates.has(currency)) missing.add(currency)
    const net = items.map(item => item.net_g ?? 0)
    const gross = shared(weight_g, net)
    const sum: ParcelSums = { shipment_id, value: 0, net_g: net.reduce((total, one) => total + one, 0), gross_g: weight_g }
    sums.push(sum)
    for (const [i, { item, value, rounding }] of (prices ?? []).entries()) {
      const hs_code = tariffCode(item.hs_code).slice(0, terms.hs_digits)
      const origin = item.origin ?? ''
      const sku = terms.grouping === 'hs_origin_sku' ? (item.sku ?? '') : null
      const key = [hs_code, origin, sku].join('|')
      const group = groups.get(key) ?? {
        ...{ hs_code, origin, sku, description: '', quantity: 0, value: 0, net_g: 0, gross_g: 0, rounding: 0, parcels: 0 },
        descriptions: new Map(),
        in: new Set(),
      }
      groups.set(key, group)
      group.quantity += item.quantity
      group.value += value
      group.rounding += rounding
      group.net_g += net[i] ?? 0
      group.gross_g += gross[i] ?? 0
      group.in.add(shipment_id)
      const text = item.description.trim()
      group.descriptions.set(text, (group.descriptions.get(text) ?? 0) + value)
      sum.value += value
    }
  }
  const lines = [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { descriptions, in: of, ...line }]) => ({ ...line, description: joined(descriptions), parcels: of.size }))
  const total = (of: readonly { [K in 'value' | 'net_g' | 'gross_g']: number }[], field: 'value' | 'net_g' | 'gross_g') =>
    of.reduce((all, one) => all + one[field], 0)
  return {
    lines,
    parcels: sums,
    total: total(lines, 'value'),
    rounding: lines.reduce((all, line) => all + line.rounding, 0),
    net_g: total(sums, 'net_g'),
    gross_g: total(sums, 'gross_g'),
    missing_rates: [...missing].toSorted(),
  }
}
