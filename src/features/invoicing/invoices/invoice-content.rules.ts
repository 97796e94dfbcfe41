/** The content of an invoice in its one canonical form: what is signed by its hash, and written into the JSON file. */
import { fromMinor } from '#domain/money.ts'
import type { TradeParty } from '#features/invoicing/bulk-invoicing/bulk-invoicing.schemas.ts'
import type { InvoiceLine, ParcelSums } from './invoice-calculation.rules.ts'

interface ContentLine extends InvoiceLine {
  position: number
}
interface ContentParcel extends ParcelSums {
  position: number
  order_id: number | null
  order_no: string | null
  tracking_no: string | null
  postcode: string
}

export interface InvoiceContent {
  invoice_no: string | null
  kind: string
  issued_on: string
  agent_code: string
  country: string
  currency: string
  terms: string
  terms_place: string
  importer: TradeParty
  exporter: TradeParty
  locale: string
  rates: readonly { from: string; to: string; rate: string }[]
  /** The number of the invoice that it credits. */
  credits_no: string | null
  reason: string
  total: number
  rounding: number
  net_g: number
  gross_g: number
  lines: readonly ContentLine[]
  parcels: readonly ContentParcel[]
}

/** Grams as kilograms with three decimals. */
export const kilograms = (grams: number): string => {
  const digits = String(Math.abs(grams)).padStart(4, '0')
  return `${grams < 0 ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`
}

/** Series, year and number as they are printed: `2026-0041`. */
export const invoiceNo = (series: string, year: number, number: number): string => `${series}${year}-${String(number).padStart(4, '0')}`

/** Fields in the order of their names, in every depth: equal contents are equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, of]) => [name, sorted(of)]),
  )
}

/** Amounts are decimal text in the invoice's currency, weights kilograms. */
export function canonicalInvoice(content: InvoiceContent): string {
  const { currency, lines, parcels } = content
  const money = (minor: number) => fromMinor(minor, currency)
  return JSON.stringify(
    sorted({
      invoice_no: content.invoice_no,
      kind: content.kind,
      issued_on: content.issued_on,
      courier: content.agent_code,
      country: content.country,
      currency,
      terms: content.terms,
      terms_place: content.terms_place,
      importer: content.importer,
      exporter: content.exporter,
      rates: content.rates,
      credits: content.credits_no,
      reason: content.reason,
      total: money(content.total),
      rounding: money(content.rounding),
      net_weight_kg: kilograms(content.net_g),
      gross_weight_kg: kilograms(content.gross_g),
      lines: lines.map(line => ({
        line: line.position,
        hs_code: line.hs_code,
        origin: line.origin,
        sku: line.sku,
        description: line.description,
        quantity: line.quantity,
        value: money(line.value),
        rounding: money(line.rounding),
        net_weight_kg: kilograms(line.net_g),
        gross_weight_kg: kilograms(line.gross_g),
        parcels: line.parcels,
      })),
      parcels: parcels.map(parcel => ({
        parcel: parcel.position,
        tracking_no: parcel.tracking_no,
        order_no: parcel.order_no,
        postcode: parcel.postcode,
        value: money(parcel.value),
        net_weight_kg: kilograms(parcel.net_g),
        gross_weight_kg: kilograms(parcel.gross_g),
      })),
    }),
  )
}
