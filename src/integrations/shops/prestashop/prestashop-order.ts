/**
 * Reads an order of PrestaShop 1.7 and 8 into the canonical order. Addresses, customer, currency, country, carrier and state are resources of
 * their own. Source: devdocs.prestashop-project.org (web service, resources) and an open-source adapter. Values are text, also numbers.
 */
import { readDate } from '#domain/dates.ts'
import { type CanonicalOrder, type Reading, readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { type ReadingOptions, statusByPayment, totalsOf, vatBetween } from '../order-parts.ts'
import {
  amountText,
  clipped,
  countryOr,
  type Json,
  joined,
  keepsakes,
  micro,
  object,
  objects,
  percentText,
  shopSentences,
  text,
  type WrittenLine,
} from '../shop-order.ts'

export interface PrestashopOptions extends ReadingOptions {
  /** Times are those of the shop's clock. */
  timeZone?: string
  /** Ids of states that no flag marks. */
  cancelledState?: string
  refundedState?: string
}

/** Resources that orders refer to, by their ids. */
export interface PrestashopReferences {
  addresses: ReadonlyMap<string, Json>
  customers: ReadonlyMap<string, Json>
  currencies: ReadonlyMap<string, Json>
  countries: ReadonlyMap<string, Json>
  carriers: ReadonlyMap<string, Json>
  order_states: ReadonlyMap<string, Json>
}

/** `2026-11-10 10:30:00` of the shop's clock; `0000-00-00 00:00:00` is none. */
export function prestashopTime(value: unknown, timeZone = 'UTC'): string | null {
  const written = text(value)
  return written === null ? null : readDate(written, 'iso', timeZone)
}

/** A text, or one for each language. */
export function prestashopName(value: unknown): string | null {
  return text(value) ?? objects(value).reduce<string | null>((found, one) => found ?? text(one.value), null)
}

export const isSet = (flag: unknown): boolean => text(flag) === '1' || flag === true

/** Ids start at 1; `0` is none. */
const idIn = (value: unknown): string => {
  const id = text(value)
  return id === '0' ? '' : (id ?? '')
}

const party = (address: Json) => ({
  name: joined(address.firstname, address.lastname),
  company: text(address.company),
  address1: text(address.address1) ?? '',
  address2: text(address.address2),
  postcode: text(address.postcode) ?? '',
  city: text(address.city) ?? '',
  phone: text(address.phone_mobile) ?? text(address.phone),
})

export function readPrestashopOrder(body: unknown, references: PrestashopReferences, options: PrestashopOptions = {}): Reading {
  const order = object(body)
  const external_id = text(order.id)
  if (external_id === null) return { problems: [{ field: '', text: shopSentences.noOrder, values: {} }] }
  const delivery = references.addresses.get(idIn(order.id_address_delivery))
  const invoice = references.addresses.get(idIn(order.id_address_invoice))
  const ship = delivery ?? invoice ?? {}
  const countryOf = (address: Json) => text(references.countries.get(idIn(address.id_country))?.iso_code)
  const customer = references.customers.get(idIn(order.id_customer)) ?? {}
  const carrier = references.carriers.get(idIn(order.id_carrier)) ?? {}
  const email = text(customer.email)

  const stateId = idIn(order.current_state)
  const state = references.order_states.get(stateId)
  const refunded = stateId !== '' && stateId === options.refundedState
  const cancelled = refunded || (stateId !== '' && stateId === options.cancelledState)
  const paidBefore = (micro(order.total_paid_real) ?? 0n) > 0n
  const payment_status: CanonicalOrder['payment_status'] = refunded
    ? 'refunded'
    : isSet(state?.paid) || (paidBefore && cancelled)
      ? 'paid'
      : cancelled
        ? 'voided'
        : 'pending'
  let status: CanonicalOrder['status']
  if (cancelled) status = 'cancelled'
  // An unknown state is no reason to pack.
  else if (!state) status = 'held'
  else if (isSet(state.shipped)) status = 'closed'
  else status = statusByPayment(payment_status, options)

  const lines: WrittenLine[] = []
  for (const item of objects(object(order.associations).order_rows)) {
    const qty = Number(text(item.product_quantity) ?? Number.NaN)
    if (qty === 0) continue
    const excl = micro(item.unit_price_tax_excl)
    const incl = micro(item.unit_price_tax_incl)
    lines.push({
      external_id: text(item.id),
      type: 'item',
      sku: clipped(item.product_reference, 64),
      barcode: clipped(item.product_ean13, 256) ?? clipped(item.product_upc, 256),
      name: clipped(item.product_name, 300) ?? `#${text(item.product_id) ?? external_id}`,
      qty: Number.isFinite(qty) ? String(qty) : '',
      ...(excl !== null && { unit_price_excl_vat: amountText(excl) }),
      ...(incl !== null && { unit_price_incl_vat: amountText(incl) }),
      vat_percent: vatBetween(excl, incl),
      custom: keepsakes([
        ['product_id', item.product_id],
        ['product_attribute_id', idIn(item.product_attribute_id)],
      ]),
    })
  }
  const carrierName = clipped(carrier.name, 200)
  const shippingIncl = micro(order.total_shipping_tax_incl)
  const shippingVat = percentText(Number(text(order.carrier_tax_rate) ?? Number.NaN))
  for (const [type, name, field, vat] of [
    ['shipping', carrierName ?? 'shipping', 'shipping', shippingVat],
    ['fee', 'gift wrapping', 'wrapping', null],
    ['discount', 'discount', 'discounts', null],
  ] as const) {
    const excl = micro(order[`total_${field}_tax_excl`])
    const incl = micro(order[`total_${field}_tax_incl`])
    if (excl === null || (excl === 0n && type !== 'shipping')) continue
    lines.push({
      external_id: field,
      type,
      name,
      qty: '1',
      unit_price_excl_vat: amountText(excl),
      ...(incl !== null && { unit_price_incl_vat: amountText(incl) }),
      vat_percent: vatBetween(excl, incl) ?? vat,
      requires_shipping: false,
    })
  }

  const total = micro(order.total_paid_tax_incl)
  const totalExcl = micro(order.total_paid_tax_excl)
  const updated = prestashopTime(order.date_upd, options.timeZone)
  const wish = isSet(order.gift) ? clipped(order.gift_message, 2_000) : null
  return readCanonical({
    external_id,
    order_no: text(order.reference) ?? external_id,
    ...(options.shop !== undefined && { shop: options.shop }),
    source: 'prestashop',
    ordered_at: prestashopTime(order.date_add, options.timeZone),
    status,
    payment_status,
    currency: text(references.currencies.get(idIn(order.id_currency))?.iso_code) ?? '',
    customer: {
      external_id: idIn(order.id_customer) || null,
      name: joined(customer.firstname, customer.lastname) || null,
      email,
      phone: invoice ? party(invoice).phone : null,
    },
    ship_to: { ...party(ship), country: countryOr(countryOf(ship), options.country), email, instruction: clipped(ship.other, 500) },
    bill_to: invoice
      ? { ...party(invoice), country: countryOf(invoice)?.toUpperCase() ?? null, email, vat_no: clipped(invoice.vat_number, 40) }
      : null,
    shipping:
      carrierName === null
        ? null
        : {
            title: carrierName,
            // The id changes whenever the carrier is edited; the reference stays.
            code: text(carrier.id_reference) ?? text(carrier.id),
            price_incl_vat: shippingIncl === null ? null : amountText(shippingIncl),
            vat_percent: shippingVat,
          },
    lines,
    totals: totalsOf(total, total === null || totalExcl === null ? null : total - totalExcl),
    notes: wish === null ? [] : [{ type: 'customer', text: wish }],
    attributes: keepsakes([
      ['payment', order.payment],
      ['module', order.module],
      ['state', state ? prestashopName(state.name) : stateId],
    ]),
    version: updated === null ? null : Date.parse(updated),
  } satisfies WrittenOrder)
}
