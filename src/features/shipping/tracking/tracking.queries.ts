/** Tracking in the database: an order as its recipient may see it. */

import { sql } from 'kysely'
import * as z from 'zod'
import { plainPostcode } from '#domain/order/postcodes.ts'
import { StoredShop } from '#domain/order/stored-shop.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { homepageFor, offeredLocale } from '#features/company/companies/companies.rules.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { restForRecipient } from '#features/orders/partial-shipments/partial-shipments.queries.ts'
import { hoursOfShop } from '#features/shipping/parcel-shops/parcel-shops.queries.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import { shopColors } from './shop-colors.rules.ts'
import { eventSentences, localeOf, publicState, stillTrue, wayOf } from './tracking.rules.ts'
import type { ShopFace, TrackedParcel, Tracking } from './tracking.schemas.ts'

const Destination = z.object({ city: z.string().catch(''), country: z.string().catch('') }).catch({ city: '', country: '' })
const Delivery = z.object({ wished_date: z.string().nullable().catch(null) }).catch({ wished_date: null })
const Postcode = z.object({ postcode: z.string().catch('') }).catch({ postcode: '' })

/** Without what depends on who asks, and how. */
export type FoundTracking = Omit<Tracking, 'ticket' | 'campaign'>

export interface Shop {
  /** With the home page in the company's own language. */
  face: ShopFace
  settings: CompanySettings
  locale: Tracking['locale']
  time_zone: string
}

export async function shopFace(db: Db, company_id: number): Promise<Shop> {
  const { name, settings } = await companyById(db, company_id)
  return {
    face: {
      name,
      colors: shopColors(settings.color),
      has_logo: settings.logo_file_id !== null,
      homepage: homepageFor(settings, settings.locale) || null,
      support_email: settings.support_email || null,
      support_phone: settings.support_phone || null,
    },
    settings,
    locale: settings.locale,
    time_zone: settings.time_zone,
  }
}

/** The shop as readers of a language see it. */
export const faceFor = ({ face, settings }: Shop, locale: Tracking['locale']): ShopFace => ({
  ...face,
  homepage: homepageFor(settings, locale) || null,
})

/** The order as its recipient sees it; `reader` is the language that the reader's browser asks for. */
export async function trackedOrder(
  db: Db,
  company_id: number,
  order_id: number,
  reader: Tracking['locale'] | null,
): Promise<FoundTracking | undefined> {
  const order = await db
    .selectFrom('orders')
    .select(['id', 'order_no', 'ordered_at', 'locale', 'work_state', 'cancelled_at', 'delivered_at', 'ship_to', 'delivery'])
    .select(['service_point', 'agent_code', 'ship_country', 'combined_into'])
    .where('id', '=', order_id)
    .where('company_id', '=', company_id)
    .executeTakeFirst()
  if (!order) return undefined
  // The order whose parcel it goes in.
  const carrier = order.combined_into ?? order_id
  const [shop, shipments, events, packed, lines, rest, together] = await Promise.all([
    shopFace(db, company_id),
    db
      .selectFrom('shipments')
      .select(['id', 'parcel_no', 'state', 'agent_code', 'tracking_no', 'collect_by', 'booked_at'])
      .where('order_id', '=', carrier)
      .where('operation_code', '=', 'outbound')
      .orderBy('parcel_no')
      .orderBy('id')
      .execute(),
    // Through the shipments, whose index knows the order.
    db
      .selectFrom('shipments as s')
      .innerJoin('shipment_events as e', 'e.shipment_id', 's.id')
      .select(['e.shipment_id', 'e.state', 'e.at', 'e.place'])
      .where('s.order_id', '=', carrier)
      .orderBy('e.at', 'desc')
      .orderBy('e.id', 'desc')
      .limit(500)
      .execute(),
    db
      .selectFrom('parcel_lines')
      .select(['parcel_no', 'order_line_id', 'qty'])
      .where('order_id', '=', carrier)
      .where('qty', '>', 0)
      .execute(),
    db
      .selectFrom('order_lines')
      .select(['id', 'name', 'variant', 'qty', 'cancelled_qty'])
      .where('order_id', 'in', [carrier, order_id])
      .where(sql<number>`coalesce(combined_order_id, order_id)`, '=', order_id)
      .where('type', '=', 'item')
      .where('requires_shipping', '=', true)
      .orderBy('line_no')
      .execute(),
    restForRecipient(db, carrier),
    db
      .selectFrom('orders')
      .select('order_no')
      .where(eb => eb.or([eb('combined_into', '=', carrier), ...(carrier === order_id ? [] : [eb('id', '=', carrier)])]))
      .where('id', '<>', order_id)
      .orderBy('id')
      .limit(20)
      .execute(),
  ])
  const named = new Map(lines.map(line => [line.id, [line.name, line.variant].filter(Boolean).join(', ')]))
  const parcels = shipments.flatMap(shipment => {
    const items = packed
      .filter(line => line.parcel_no === shipment.parcel_no)
      .flatMap(line => {
        const name = named.get(line.order_line_id)
        return name === undefined ? [] : [{ name, qty: line.qty }]
      })
    return parcelOf(shop, shipment, events, items) ?? []
  })
  const shown = new Set(parcels.map(parcel => parcel.parcel_no))
  const gone = new Map<number, number>()
  for (const { parcel_no, order_line_id, qty } of packed)
    if (shown.has(parcel_no)) gone.set(order_line_id, (gone.get(order_line_id) ?? 0) + qty)
  const waiting = lines
    .map(line => ({ name: named.get(line.id) ?? '', qty: line.qty - line.cancelled_qty - (gone.get(line.id) ?? 0) }))
    .filter(line => line.qty > 0)
  const { city, country } = Destination.parse(order.ship_to)
  const parcel_shop = order.delivered_at === null ? await parcelShopOf(db, order) : null
  const locale = offeredLocale(shop.settings, localeOf(order.locale) ?? reader) ?? shop.locale
  return {
    company: faceFor(shop, locale),
    locale,
    time_zone: shop.time_zone,
    order_no: order.order_no,
    ordered_at: order.ordered_at,
    ...wayOf({
      cancelled: order.cancelled_at !== null,
      work_state: order.work_state,
      delivered: order.delivered_at !== null,
      parcels: parcels.map(parcel => parcel.state),
      waiting: waiting.length > 0,
      undecided: rest?.on_hold === true,
    }),
    promised_day: Delivery.parse(order.delivery).wished_date,
    city: city || null,
    country: /^[A-Z]{2}$/.test(country) ? country : null,
    parcel_shop,
    parcels,
    waiting: order.cancelled_at === null ? waiting : [],
    expected_on: rest?.expected_on ?? null,
    together: together.map(one => one.order_no),
    not_coming: lines.flatMap(line => {
      const qty = rest?.cancelled.get(line.id) ?? 0
      return qty > 0 ? [{ name: named.get(line.id) ?? '', qty }] : []
    }),
  }
}

async function parcelShopOf(
  db: Db,
  { service_point, agent_code, ship_country }: { service_point: unknown; agent_code: string | null; ship_country: string },
): Promise<Tracking['parcel_shop']> {
  const shop = StoredShop.parse(service_point)
  if (!shop?.name) return null
  return {
    name: shop.name,
    address: [shop.address1, `${shop.postcode} ${shop.city}`.trim()].filter(Boolean).join(', '),
    opening_hours: agent_code === null ? [] : await hoursOfShop(db, { agent_code, country: ship_country, id: shop.id }),
  }
}

interface ParcelRow {
  id: number
  parcel_no: number
  state: string
  agent_code: string
  tracking_no: string | null
  collect_by: string | null
}

/** A parcel as its recipient sees it; undefined while there is nothing to see. */
function parcelOf(
  shop: Shop,
  shipment: ParcelRow,
  events: readonly { shipment_id: number; state: string; at: string; place: string | null }[],
  items: TrackedParcel['items'],
): TrackedParcel | undefined {
  const state = publicState(shipment.state)
  if (!state) return undefined
  const { capabilities } = courier(shipment.agent_code) ?? {}
  return {
    parcel_no: shipment.parcel_no,
    state,
    courier: !capabilities || capabilities.agent_code === 'own' ? shop.face.name : capabilities.name,
    tracking_no: shipment.tracking_no,
    collect_by: state === 'ready_for_pickup' ? shipment.collect_by : null,
    events: stillTrue(events.filter(event => event.shipment_id === shipment.id)).flatMap(({ state: reached, at, place }) => {
      const step = publicState(reached)
      return step ? [{ at, text: eventSentences[step], place }] : []
    }),
    items,
  }
}

/** A shipment without an order as its recipient sees it. */
export async function trackedShipment(
  db: Db,
  company_id: number,
  shipment_id: number,
  reader: Tracking['locale'] | null,
): Promise<FoundTracking | undefined> {
  const shipment = await db
    .selectFrom('shipments as s')
    .leftJoin('shipment_parties as p', join => join.onRef('p.shipment_id', '=', 's.id').on('p.role', '=', 'recipient'))
    .select([
      's.id',
      's.parcel_no',
      's.state',
      's.agent_code',
      's.tracking_no',
      's.collect_by',
      's.created_at',
      's.consignment_id',
      'p.party',
    ])
    .select(sql<string | null>`s.request->>'locale'`.as('locale'))
    .where('s.id', '=', shipment_id)
    .where('s.company_id', '=', company_id)
    .where('s.order_id', 'is', null)
    .executeTakeFirst()
  if (!shipment) return undefined
  // The parcels of one booking go to one recipient.
  const together =
    shipment.consignment_id === null
      ? [shipment]
      : await db
          .selectFrom('shipments')
          .select(['id', 'parcel_no', 'state', 'agent_code', 'tracking_no', 'collect_by'])
          .where('consignment_id', '=', shipment.consignment_id)
          .orderBy('parcel_no')
          .execute()
  const ids = sql<number>`any(${together.map(one => one.id)})`
  const [shop, events, lines] = await Promise.all([
    shopFace(db, company_id),
    db
      .selectFrom('shipment_events')
      .select(['shipment_id', 'state', 'at', 'place'])
      .where('shipment_id', '=', ids)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(500)
      .execute(),
    db
      .selectFrom('shipment_lines')
      .select(['shipment_id', 'description as name', 'quantity as qty'])
      .where('shipment_id', '=', ids)
      .orderBy('shipment_id')
      .orderBy('line_no')
      .execute(),
  ])
  const parcels = together.flatMap(one => {
    const items = lines.filter(line => line.shipment_id === one.id).map(({ name, qty }) => ({ name, qty }))
    return parcelOf(shop, one, events, items) ?? []
  })
  const { city, country } = Destination.parse(shipment.party)
  const locale = offeredLocale(shop.settings, localeOf(shipment.locale) ?? reader) ?? shop.locale
  return {
    company: faceFor(shop, locale),
    locale,
    time_zone: shop.time_zone,
    order_no: null,
    ordered_at: shipment.created_at,
    ...wayOf({
      cancelled: together.every(one => one.state === 'cancelled' || one.state === 'blocked'),
      work_state: 'ready',
      delivered: false,
      parcels: parcels.map(one => one.state),
      waiting: false,
      undecided: false,
    }),
    promised_day: null,
    city: city || null,
    country: /^[A-Z]{2}$/.test(country) ? country : null,
    parcel_shop: null,
    parcels,
    waiting: [],
    expected_on: null,
    together: [],
    not_coming: [],
  }
}

/** However it is written: with or without blanks, hyphens and the country's letters before it. */
const bare = (postcode: string, country: string): string => plainPostcode(postcode, country).postcode.replace(/[^A-Z0-9]/g, '')

/** The ways in which an order number may be stored. */
export const numbersAsWritten = (order_no: string): string[] => {
  const plain = order_no.replace(/^#/, '')
  return [order_no, plain, `#${plain}`]
}

/** An address without a postcode is no match. */
export function goesToPostcode({ ship_to, ship_country }: { ship_to: unknown; ship_country: string }, postcode: string): boolean {
  const theirs = bare(Postcode.parse(ship_to).postcode, ship_country)
  return theirs !== '' && theirs === bare(postcode, ship_country)
}

/** The newest order with this number that goes to this postcode. An order without a postcode is found by its link alone. */
export async function orderByNumber(db: Db, company_id: number, order_no: string, postcode: string): Promise<number | undefined> {
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'ship_to', 'ship_country'])
    .where('company_id', '=', company_id)
    .where('order_no', '=', sql<string>`any(${numbersAsWritten(order_no)})`)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return rows.find(row => goesToPostcode(row, postcode))?.id
}
