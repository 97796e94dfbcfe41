/** Finds out, before a label is made, whether the chosen parcel shop is open, and the nearest one in its place. */
import { interpolate } from '#contract/errors.ts'
import { plainPostcode } from '#domain/order/postcodes.ts'
import { changeParcelShop } from '#features/orders/orders/delivery-changes.commands.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { keepParcelShops } from '#features/shipping/parcel-shops/parcel-shops.commands.ts'
import { nearShops, replacementOf } from '#features/shipping/parcel-shops/parcel-shops.queries.ts'
import { errorFinding } from '#integrations/couriers/capabilities.ts'
import { type BookingRequest, type Courier, CourierRefused, type ParcelShop, type ServicePoint } from '#integrations/couriers/courier.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { keptShop } from './shop-replacement.queries.ts'

interface Chosen {
  order_id: number
  company_id: number
  adapter: Courier
  request: BookingRequest
  /** Keeps the other shop with the shipment, in the transaction that changes the order. */
  keep: (context: Context, shop: ServicePoint) => Promise<void>
}

/** Hours for which a shop that its courier named counts as open, and milliseconds for which the packer waits for the question. */
const openHours = 20
const patience = 4_000

const countryOf = ({ service_point, parties }: BookingRequest): string =>
  (service_point?.country || parties.recipient.country).toUpperCase()

/** The shops that the courier names at the shop's own address; undefined where it does not answer or names none. */
async function askAround(
  { services, transaction, now }: ExternalContext,
  { adapter, request }: Chosen,
  place: { postcode: string; address1: string },
): Promise<ParcelShop[] | undefined> {
  const country = countryOf(request)
  const { agent_code } = adapter.capabilities
  try {
    const shops = await adapter.parcelShops(
      {
        country,
        postcode: plainPostcode(place.postcode, country).postcode,
        address: place.address1 || null,
        method: request.account_method ? request.method : undefined,
        settings: request.settings,
      },
      AbortSignal.any([services.closing, AbortSignal.timeout(patience)]),
    )
    await transaction(({ db }) => keepParcelShops(db, agent_code, shops, now().toISOString()))
    return shops.length > 0 ? shops : undefined
  } catch {
    return undefined
  }
}

/** The nearest other shop where the company takes it without asking; throws where it asks, or where there is none. */
async function otherShop(
  outside: ExternalContext,
  chosen: Chosen,
  shop: ServicePoint,
  near: readonly ParcelShop[] | undefined,
): Promise<ServicePoint> {
  const { adapter, company_id, order_id, request, keep } = chosen
  const { agent_code } = adapter.capabilities
  const country = countryOf(request)
  const { text, values, field, code } = errorFinding(
    'parcel_shop_closed',
    'The parcel shop {{shop}} is closed or full. Choose another one.',
    'service_point',
    { shop: shop.name || shop.id },
  )
  const asked = new CourierRefused(interpolate(text, values ?? {}), field, code)
  return outside.transaction(async context => {
    const { db } = context
    if ((await replacementOf(db, company_id)).mode === 'ask') throw asked
    const postcode = plainPostcode(shop.postcode || request.parties.recipient.postcode, country).postcode
    const [next] = near?.filter(one => one.id !== shop.id) ?? (await nearShops(db, { agent_code, country, postcode }, shop.id))
    if (!next) throw asked
    const after = { id: next.id, name: next.name, address1: next.address1, postcode: next.postcode, city: next.city, country: next.country }
    const order = await takeOrder(db, order_id)
    if (!order || !(await changeParcelShop(context, order, after, { automatic: true }))) throw asked
    await keep(context, after)
    return after
  })
}

/**
 * The shop in place of the request's own, where that is closed or full; null where it stays. Throws `CourierRefused` where a person
 * has to choose. A shop that the courier never named is left to the courier.
 */
export async function openShop(outside: ExternalContext, chosen: Chosen): Promise<ServicePoint | null> {
  const { adapter, request } = chosen
  const shop = request.service_point
  if (!shop || request.operation !== 'outbound' || !adapter.capabilities.parcel_shops) return null
  const { agent_code } = adapter.capabilities
  const kept = await outside.transaction(({ db }) => keptShop(db, { agent_code, country: countryOf(request), shop_id: shop.id }))
  if (!kept) return null
  const fresh = Date.parse(kept.seen_at) > outside.now().getTime() - openHours * 3_600_000
  if (fresh && kept.missed_at === null && kept.gone_at === null) return null
  const near = await askAround(outside, chosen, kept)
  if (near ? near.some(one => one.id === shop.id) : kept.gone_at === null) return null
  return otherShop(outside, chosen, { ...shop, name: shop.name || kept.name, postcode: shop.postcode || kept.postcode }, near)
}

/** The same after the courier refused the shop itself. */
export async function shopAfterRefusal(outside: ExternalContext, chosen: Chosen): Promise<ServicePoint | null> {
  const shop = chosen.request.service_point
  if (!shop || chosen.request.operation !== 'outbound' || !chosen.adapter.capabilities.parcel_shops) return null
  const { recipient } = chosen.request.parties
  const place = shop.postcode ? shop : recipient
  return otherShop(outside, chosen, shop, await askAround(outside, chosen, place))
}
