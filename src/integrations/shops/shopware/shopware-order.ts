/**
 * Reads an order of Shopware 6 (admin API, plain JSON) into the canonical order. Amounts are numbers in major units, with or without VAT as
 * `taxStatus` says. Source: developer.shopware.com and the reference of the admin API.
 */
import { readDate } from '#domain/dates.ts'
import { type CanonicalOrder, type Reading, readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { type ReadingOptions, statusByPayment, totalsOf } from '../order-parts.ts'
import {
  amountText,
  clipped,
  countryOr,
  type Json,
  joined,
  keepsakes,
  list,
  micro,
  object,
  objects,
  percentText,
  shopSentences,
  text,
  type WrittenLine,
} from '../shop-order.ts'
import { instantOf, newest } from '../shop-pages.ts'

const payments: Record<string, NonNullable<CanonicalOrder['payment_status']>> = {
  open: 'pending',
  in_progress: 'pending',
  unconfirmed: 'pending',
  reminded: 'pending',
  authorized: 'authorized',
  paid: 'paid',
  paid_partially: 'partially_paid',
  refunded: 'refunded',
  refunded_partially: 'partially_refunded',
  cancelled: 'voided',
  failed: 'voided',
  chargeback: 'voided',
}

export const stateOf = (holder: Json | undefined): string | null => text(object(holder?.stateMachineState).technicalName)

/** `updatedAt` is null until the first change. */
export const changedAt = (order: Json): string | null => newest([instantOf(order.updatedAt), instantOf(order.createdAt)])

/** The delivery with the goods: a discount on the shipping costs is a delivery of its own, below nothing. */
export function deliveryOf(order: Json): Json | undefined {
  const cost = (delivery: Json) => Number(text(object(delivery.shippingCosts).totalPrice) ?? 0)
  return objects(order.deliveries).reduce<Json | undefined>(
    (found, delivery) => (found === undefined || cost(delivery) > cost(found) ? delivery : found),
    undefined,
  )
}

/** Each attempt to pay is a transaction; the newest one counts. */
function transactionOf(order: Json): Json | undefined {
  const at = (transaction: Json) => instantOf(transaction.createdAt) ?? ''
  return objects(order.transactions).reduce<Json | undefined>(
    (found, transaction) => (found === undefined || at(transaction) > at(found) ? transaction : found),
    undefined,
  )
}

const rateOf = (price: Json): string | null => {
  const [rule, ...others] = objects(price.taxRules)
  return rule === undefined || others.length > 0 ? null : percentText(Number(text(rule.taxRate) ?? Number.NaN))
}

const party = (address: Json) => ({
  name: joined(address.title, address.firstName, address.lastName),
  attention: clipped(address.department, 120),
  company: text(address.company),
  address1: text(address.street) ?? '',
  address2: [address.additionalAddressLine1, address.additionalAddressLine2].map(text).filter(Boolean).join(', ') || null,
  postcode: text(address.zipcode) ?? '',
  city: text(address.city) ?? '',
  region: text(object(address.countryState).name),
  phone: text(address.phoneNumber),
})

/** Order and delivery have states of their own; both come back after a push. */
export const statusOf = (order: Json): string => [stateOf(order), stateOf(deliveryOf(order))].filter(Boolean).join('/')

const lineTypes: Record<string, WrittenLine['type']> = {
  product: 'item',
  custom: 'item',
  promotion: 'discount',
  discount: 'discount',
  credit: 'discount',
}

export function readShopwareOrder(body: unknown, options: ReadingOptions = {}): Reading {
  const order = object(body)
  const external_id = text(order.id)
  if (external_id === null) return { problems: [{ field: '', text: shopSentences.noOrder, values: {} }] }
  const delivery = deliveryOf(order)
  const billing = object(order.billingAddress)
  const shipTo = object(delivery?.shippingOrderAddress)
  const ship = text(shipTo.street) !== null || text(shipTo.city) !== null ? shipTo : billing
  const countryOf = (address: Json) => text(object(address.country).iso)
  const customer = object(order.orderCustomer)
  const email = text(customer.email)
  const price = object(order.price)
  const taxStatus = text(order.taxStatus) ?? text(price.taxStatus)
  const inclusive = taxStatus === 'gross'
  const priced = (value: unknown) => {
    const amount = micro(value)
    return amount === null || taxStatus === null ? {} : { [inclusive ? 'unit_price_incl_vat' : 'unit_price_excl_vat']: amountText(amount) }
  }

  const transaction = transactionOf(order)
  const payment_status = transaction ? (payments[stateOf(transaction) ?? ''] ?? null) : null
  const sent = stateOf(delivery)
  let status: CanonicalOrder['status']
  if (stateOf(order) === 'cancelled' || sent === 'cancelled') status = 'cancelled'
  else if (stateOf(order) === 'completed' || sent === 'shipped' || sent === 'returned' || sent === 'returned_partially') status = 'closed'
  else if (payment_status === 'refunded') status = 'cancelled'
  else status = statusByPayment(payment_status, options)

  const items = objects(order.lineItems)
  const ids = new Set(items.filter(item => lineTypes[text(item.type) ?? ''] === 'item').map(item => text(item.id)))
  const lines: WrittenLine[] = []
  for (const item of items) {
    const type = lineTypes[text(item.type) ?? ''] ?? 'fee'
    const qty = Number(text(item.quantity) ?? Number.NaN)
    if (qty === 0) continue
    const payload = object(item.payload)
    const parent = text(item.parentId)
    lines.push({
      external_id: text(item.id),
      type,
      sku: type === 'item' ? clipped(payload.productNumber, 64) : null,
      name: clipped(item.label, 300) ?? `#${text(item.id)}`,
      variant: clipped(
        objects(payload.options)
          .map(option => text(option.option))
          .filter(Boolean)
          .join(' / '),
        200,
      ),
      qty: Number.isFinite(qty) ? String(qty) : '',
      ...priced(item.unitPrice),
      vat_percent: taxStatus === 'tax-free' ? '0' : rateOf(object(item.price)),
      bundle_of: parent !== null && ids.has(parent) && parent !== text(item.id) ? parent : null,
      requires_shipping: type === 'item' && !list(item.states).includes('is-download'),
    })
  }
  const costs = object(delivery?.shippingCosts)
  const method = object(delivery?.shippingMethod)
  const title = clipped(object(method.translated).name, 200) ?? clipped(method.name, 200)
  const shippingTotal = micro(order.shippingTotal) ?? micro(costs.totalPrice)
  const shippingVat = taxStatus === 'tax-free' ? '0' : rateOf(costs)
  if (shippingTotal !== null && (shippingTotal > 0n || title !== null))
    lines.push({
      external_id: 'shipping',
      type: 'shipping',
      name: title ?? 'shipping',
      qty: '1',
      ...priced(amountText(shippingTotal)),
      vat_percent: shippingVat,
      requires_shipping: false,
    })

  const total = micro(order.amountTotal) ?? micro(price.totalPrice)
  const net = micro(order.amountNet) ?? micro(price.netPrice)
  const ordered = text(order.orderDateTime)
  const changed = changedAt(order)
  const note = clipped(order.customerComment, 2_000)
  return readCanonical({
    external_id,
    order_no: text(order.orderNumber) ?? external_id,
    ...(options.shop !== undefined && { shop: options.shop }),
    source: 'shopware',
    ordered_at: ordered === null ? null : readDate(ordered, 'iso', 'UTC'),
    status,
    payment_status,
    currency: text(object(order.currency).isoCode) ?? '',
    customer: {
      external_id: text(customer.customerNumber) ?? text(customer.customerId),
      name: joined(customer.firstName, customer.lastName) || null,
      email,
      phone: text(billing.phoneNumber),
    },
    ship_to: { ...party(ship), country: countryOr(countryOf(ship) ?? countryOf(billing), options.country), email },
    bill_to:
      text(billing.street) === null
        ? null
        : { ...party(billing), country: countryOf(billing)?.toUpperCase() ?? null, email, vat_no: clipped(list(customer.vatIds)[0], 40) },
    shipping:
      title === null
        ? null
        : {
            title,
            code: clipped(method.technicalName, 100),
            price_incl_vat: shippingTotal === null || !inclusive ? null : amountText(shippingTotal),
            vat_percent: shippingVat,
          },
    lines,
    totals: totalsOf(total, total === null || net === null ? null : total - net),
    notes: note === null ? [] : [{ type: 'customer', text: note }],
    attributes: keepsakes(Object.entries(object(order.customFields)).map(([name, value]) => [name, value] as const)),
    version: changed === null ? null : Date.parse(changed),
  } satisfies WrittenOrder)
}
