/** Converts an order from a shop to its stored form: whole amounts, normalized text, and its fingerprint. */

import { toMinor, withoutVat, withVat } from '#domain/money.ts'
import { elementAt } from '#domain/objects.ts'
import { decoded, type ImportedParty, orNull, partyOf, phoneOf, tidy } from './address.ts'
import type { CanonicalOrder, LineType } from './canonical-order.ts'

export interface ImportedLine {
  line_no: number
  external_id: string
  type: LineType
  sku: string | null
  /** The SKU in upper case: two spellings of one SKU are one product. */
  sku_key: string | null
  barcode: string | null
  name: string
  variant: string | null
  qty: number
  /** Minor units of the order's currency; null where the shop sent no price. A discount is negative. */
  unit_price_excl_vat: number | null
  unit_price_incl_vat: number | null
  /** Of the whole line, positive. */
  discount_excl_vat: number
  /** Decimal text without trailing zeros. */
  vat_percent: string | null
  cost_price: number | null
  weight_g: number | null
  length_mm: number | null
  width_mm: number | null
  height_mm: number | null
  bin: string | null
  image_url: string | null
  /** Digits only. */
  hs_code: string | null
  origin: string | null
  customs_text: string | null
  bundle_of: string | null
  serial_required: boolean
  requires_shipping: boolean
  custom: Record<string, string | number | boolean | null>
}

export interface ImportedOrder {
  external_id: string
  order_no: string
  shop: string
  source: string
  /** Instants are ISO 8601 in UTC. */
  ordered_at: string | null
  paid_at: string | null
  status: CanonicalOrder['status']
  payment_status: CanonicalOrder['payment_status']
  currency: string
  /** In the specification's format: `da_DK`. */
  locale: string | null
  customer: { external_id: string | null; name: string | null; email: string | null; phone: string | null; vat_no: string | null }
  ship_to: ImportedParty & { instruction: string | null; door_code: string | null }
  bill_to: (ImportedParty & { vat_no: string | null }) | null
  service_point: CanonicalOrder['service_point']
  shipping: { title: string | null; code: string | null; price_incl_vat: number | null; vat_percent: string | null } | null
  delivery: { not_before: string | null; wished_date: string | null; ship_by: string | null; partial_allowed: boolean }
  lines: ImportedLine[]
  /** Minor units; from the shop, else the sum of the lines, else null. */
  totals: { excl_vat: number | null; vat: number | null; incl_vat: number | null }
  customs: CanonicalOrder['customs']
  notes: { type: string; text: string }[]
  tags: string[]
  attributes: Record<string, string | number | boolean | null>
  version: number | null
}

/** Only the normalized form of an instant has 24 characters and a Z. */
const utc = (instant: string | null): string | null =>
  instant === null || (instant.length === 24 && instant.endsWith('Z')) ? instant : new Date(instant).toISOString()
const plainPercent = (percent: string | null): string | null => (percent === null ? null : String(Number(percent))) // At most seven digits: a float shows them exactly.
const sorted = <T>(record: Record<string, T>): Record<string, T> => {
  const entries = Object.entries(record)
  return entries.length < 2 ? record : Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

function lineOf(line: CanonicalOrder['lines'][number], index: number, external_id: string, currency: string): ImportedLine {
  const percent = plainPercent(line.vat_percent)
  const amount = (text: string | null) => (text === null ? null : toMinor(text, currency))
  let excl = amount(line.unit_price_excl_vat)
  let incl = amount(line.unit_price_incl_vat)
  if (excl === null && incl !== null && percent !== null) excl = withoutVat(incl, percent)
  if (incl === null && excl !== null && percent !== null) incl = withVat(excl, percent)
  if (line.type === 'discount') {
    if (excl !== null && excl > 0) excl = -excl
    if (incl !== null && incl > 0) incl = -incl
  }
  const sku = orNull(line.sku)
  return {
    line_no: index + 1,
    external_id,
    type: line.type,
    sku,
    sku_key: sku === null ? null : sku.toUpperCase(),
    barcode: orNull(line.barcode),
    name: tidy(line.name),
    variant: orNull(line.variant),
    qty: Number(line.qty),
    unit_price_excl_vat: excl,
    unit_price_incl_vat: incl,
    discount_excl_vat: Math.abs(amount(line.discount_excl_vat) ?? 0),
    vat_percent: percent,
    cost_price: amount(line.cost_price),
    weight_g: line.weight_g,
    length_mm: line.dim_mm?.[0] ?? null,
    width_mm: line.dim_mm?.[1] ?? null,
    height_mm: line.dim_mm?.[2] ?? null,
    bin: orNull(line.bin),
    image_url: line.image_url,
    hs_code: line.hs_code === null ? null : line.hs_code.replace(/\D/g, '') || null,
    origin: line.origin?.toUpperCase() ?? null,
    customs_text: orNull(line.customs_text),
    bundle_of: orNull(line.bundle_of),
    serial_required: line.serial_required,
    requires_shipping: line.requires_shipping,
    custom: sorted(line.custom),
  }
}

/** Lines without an id of the shop are named by their position, skipping ids that already look like one. */
function idsOf(lines: CanonicalOrder['lines']): string[] {
  const taken = new Set(lines.map(line => orNull(line.external_id)))
  return lines.map((line, index) => {
    const given = orNull(line.external_id)
    if (given !== null) return given
    let id = String(index + 1)
    while (taken.has(id)) id = `_${id}`
    return id
  })
}

/** Sum of the lines, or null where one of them has no price. */
function sum(lines: readonly ImportedLine[], price: 'unit_price_excl_vat' | 'unit_price_incl_vat'): number | null {
  let total = 0
  for (const line of lines) {
    const unit = line[price]
    if (unit === null) return null
    const discount =
      price === 'unit_price_excl_vat' || line.discount_excl_vat === 0 || line.vat_percent === null
        ? line.discount_excl_vat
        : withVat(line.discount_excl_vat, line.vat_percent)
    total += unit * line.qty - discount
  }
  return total
}

/** The stored form of the order. The same content always gives the same object, key by key. */
export function toOrder(order: CanonicalOrder): ImportedOrder {
  const currency = order.currency.toUpperCase()
  const order_no = tidy(order.order_no)
  const amount = (text: string | null | undefined) => (text === null || text === undefined ? null : toMinor(text, currency))
  const ids = idsOf(order.lines)
  const lines = order.lines.map((line, index) => lineOf(line, index, elementAt(ids, index), currency))
  const { instruction, door_code, ...ship } = order.ship_to
  const ship_to = { ...partyOf(ship), instruction: orNull(instruction), door_code: orNull(door_code) }
  const bill_to = order.bill_to && { ...partyOf(order.bill_to), vat_no: orNull(order.bill_to.vat_no) }
  const excl_vat = amount(order.totals?.excl_vat) ?? sum(lines, 'unit_price_excl_vat')
  const incl_vat = amount(order.totals?.incl_vat) ?? sum(lines, 'unit_price_incl_vat')
  const { service_point, shipping, delivery, customs } = order
  return {
    external_id: orNull(order.external_id) ?? order_no,
    order_no,
    shop: order.shop.toLowerCase(),
    source: order.source,
    ordered_at: utc(order.ordered_at),
    paid_at: utc(order.paid_at),
    status: order.status,
    payment_status: order.payment_status,
    currency,
    locale:
      order.locale?.replace(
        /^(\w+)[-_](\w+).*$/,
        (_, language: string, land: string) => `${language.toLowerCase()}_${land.toUpperCase()}`,
      ) ?? null,
    customer: {
      external_id: orNull(order.customer?.external_id),
      name: orNull(order.customer?.name),
      email: orNull(order.customer?.email),
      phone: phoneOf(orNull(order.customer?.phone), bill_to?.country || ship_to.country),
      vat_no: orNull(order.customer?.vat_no),
    },
    ship_to,
    bill_to,
    service_point: service_point && {
      carrier: orNull(service_point.carrier)?.toLowerCase() ?? null,
      id: tidy(service_point.id),
      name: orNull(service_point.name),
      address1: orNull(service_point.address1),
      postcode: orNull(service_point.postcode),
      city: orNull(service_point.city),
      country: service_point.country?.toUpperCase() ?? null,
    },
    shipping: shipping && {
      title: orNull(shipping.title),
      code: orNull(shipping.code),
      price_incl_vat: amount(shipping.price_incl_vat),
      vat_percent: plainPercent(shipping.vat_percent),
    },
    delivery: {
      not_before: delivery?.not_before ?? null,
      wished_date: delivery?.wished_date ?? null,
      ship_by: utc(delivery?.ship_by ?? null),
      partial_allowed: delivery?.partial_allowed ?? true,
    },
    lines,
    totals: { excl_vat, vat: amount(order.totals?.vat) ?? (excl_vat !== null && incl_vat !== null ? incl_vat - excl_vat : null), incl_vat },
    customs: customs && {
      reason: customs.reason,
      incoterm: customs.incoterm?.toUpperCase() ?? null,
      voec: orNull(customs.voec),
      ioss: orNull(customs.ioss),
      eori: orNull(customs.eori),
    },
    notes: order.notes.map(note => ({ type: note.type, text: decoded(note.text).normalize('NFC').trim() })),
    tags: [...new Set(order.tags.map(tidy))].sort(),
    attributes: sorted(order.attributes),
    version: order.version,
  }
}

/** The text whose hash detects a changed order when it is sent again. The shop's version is not part of it. */
export function fingerprint(order: ImportedOrder): string {
  const { version: _version, ...content } = order
  // `toOrder` writes all keys in a fixed order, so the plain JSON is canonical.
  return JSON.stringify(content)
}
