/** What messages say of orders: words of templates, addresses of recipients, items and parcels. */
import { sql } from 'kysely'
import * as z from 'zod'
import type { Locale } from '#contract/limits.ts'
import { decimalsOf } from '#domain/money.ts'
import { valueAt } from '#domain/objects.ts'
import { offeredLocale } from '#features/company/companies/companies.rules.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { phoneKey } from '#features/customers/customers/customers.rules.ts'
import { localeOf } from '#features/shipping/tracking/tracking.rules.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import type { EmailFacts } from './email-layout.server.ts'
import { answerPlace } from './templates.codes.ts'

export interface MessageOrder {
  id: number
  company_id: number
  order_no: string
  customer_id: number | null
  customer_name: string
  country: string
  locale: Locale
  phase: string
  /** E.164; null for none or one that is no number. */
  phone: string | null
  has_phone: boolean
  email: string | null
  erased: boolean
  cancelled: boolean
  facts: EmailFacts
}

const ShipTo = z.object({
  name: z.string().catch(''),
  phone: z.string().nullable().catch(null),
  /** As the shop wrote it, where it is no number. */
  phone_raw: z.string().nullable().catch(null),
  email: z.string().nullable().catch(null),
})
const noAddress = ShipTo.parse({})
const ServicePoint = z.object({ name: z.string() }).nullable().catch(null)

const localeOfCountry: Readonly<Record<string, Locale>> = {
  DK: 'da_DK',
  GL: 'da_DK',
  FO: 'da_DK',
  SE: 'sv_SE',
  NO: 'no_NO',
  DE: 'de_DE',
  AT: 'de_DE',
}

/** The language of a recipient: the order's own, else the country's. */
export const localeOfRecipient = (written: string | null, country: string): Locale | null =>
  localeOf(written) ?? localeOfCountry[country] ?? null

/** The orders of these ids that the scope sees, in the order of the ids. */
export async function messageOrders(db: Db, services: Services, ids: readonly number[]): Promise<MessageOrder[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .select(['o.id', 'o.company_id', 'o.order_no', 'o.customer_id', 'o.customer_name', 'o.customer_email', 'o.customer_phone', 'o.ship_to'])
    .select(['o.ship_country', 'o.locale', 'o.phase', 'o.ship_by', 'o.total_incl_vat', 'o.currency', 'o.agent_code', 'o.shipping_title'])
    .select(['o.service_point', 'o.erased_at', 'o.cancelled_at', 'o.combined_into', 'c.code', 'c.name as company', 'c.settings'])
    .where('o.id', '=', sql<number>`any(${ids})`)
    .execute()
  // Of orders in the parcel of another one, lines and parcels are with that.
  const among = [...ids, ...rows.flatMap(row => row.combined_into ?? [])]
  const lines = await db
    .selectFrom('order_lines')
    .select([
      'name',
      'variant',
      sql<number>`coalesce(combined_order_id, order_id)`.as('order_id'),
      sql<number>`qty - cancelled_qty`.as('qty'),
    ])
    .where('order_id', '=', sql<number>`any(${among})`)
    .where('type', '=', 'item')
    .where(sql<boolean>`qty > cancelled_qty`)
    .orderBy('line_no')
    .execute()
  const shorts = await db
    .selectFrom('pick_shorts')
    .select(['order_id', 'name', 'quantity as qty'])
    .where('order_id', '=', sql<number>`any(${ids})`)
    .where(eb => eb.or([eb('decision', 'is', null), eb('decision', 'in', ['wait', 'ask_customer', 'ship_partial'])]))
    .orderBy('id')
    .execute()
  const parcels = await db
    .selectFrom('shipments')
    .select(['id', 'order_id', 'agent_code', 'tracking_no', 'state', 'collect_by'])
    .where('order_id', '=', sql<number>`any(${among})`)
    .where('operation_code', '=', 'outbound')
    .where('booked_at', 'is not', null)
    .where('state', 'not in', ['cancelled', 'blocked', 'error'])
    .orderBy('id')
    .execute()
  const [linesOf, shortsOf, parcelsOf] = [
    Map.groupBy(lines, one => one.order_id),
    Map.groupBy(shorts, one => one.order_id),
    Map.groupBy(parcels, one => one.order_id ?? 0),
  ]
  const settingsOf = new Map<number, CompanySettings>()
  for (const { company_id, settings } of rows)
    if (!settingsOf.has(company_id)) settingsOf.set(company_id, CompanySettings.parse(settings ?? {}))
  const orders = rows.map((row): MessageOrder => {
    const settings = valueAt(settingsOf, row.company_id)
    const recipient = ShipTo.catch(noAddress).parse(row.ship_to)
    const locale = offeredLocale(settings, localeOfRecipient(row.locale, row.ship_country)) ?? settings.locale
    const phone = recipient.phone || row.customer_phone || recipient.phone_raw || ''
    const own = parcelsOf.get(row.combined_into ?? row.id) ?? []
    // Of what waits in a shop, the day that comes first.
    const [lastDay] = own.flatMap(({ state, collect_by }) => (state === 'ready_for_pickup' && collect_by) || []).toSorted()
    const named = own.filter(parcel => parcel.tracking_no !== null)
    const items = (linesOf.get(row.id) ?? []).map(({ qty, name, variant }) => ({ qty, name: variant ? `${name}, ${variant}` : name }))
    const url = trackingUrl(services, { id: row.company_id, code: row.code }, { order_id: row.id })
    const listOf = (list: readonly { qty: number; name: string }[]) => list.map(({ qty, name }) => `${qty} × ${name}`).join(', ')
    return {
      id: row.id,
      company_id: row.company_id,
      order_no: row.order_no,
      customer_id: row.customer_id,
      customer_name: row.customer_name || recipient.name,
      country: row.ship_country,
      locale,
      phase: row.phase,
      phone: phoneKey(phone, row.ship_country),
      has_phone: phone !== '',
      email: emailOf(row.customer_email ?? recipient.email),
      erased: row.erased_at !== null,
      cancelled: row.cancelled_at !== null,
      facts: {
        locale,
        company: row.company,
        color: settings.color,
        homepage: settings.homepages[locale] ?? settings.homepage,
        items,
        parcels: named.map(parcel => ({ name: courierName(parcel.agent_code), tracking_no: parcel.tracking_no ?? '', url })),
        foot: [row.company, settings.support_phone, settings.support_email].filter(Boolean).join(' · '),
        values: {
          first_name: (recipient.name || row.customer_name).trim().split(/\s+/)[0] ?? '',
          order_no: row.order_no,
          items: listOf(items),
          items_missing: listOf(shortsOf.get(row.id) ?? []),
          total: row.total_incl_vat === null ? '' : moneyText(row.total_incl_vat, row.currency, locale),
          parcels: own.length === 0 ? '' : String(own.length),
          tracking_no: named.map(parcel => parcel.tracking_no).join(', '),
          tracking_url: url,
          answer_url: `${publicUrl(services, row.code)}/answer#${answerPlace}`,
          courier: row.agent_code === null ? '' : courierName(row.agent_code),
          method: row.shipping_title ?? '',
          ship_by: row.ship_by === null ? '' : dayOf(row.ship_by, locale, settings.time_zone),
          collect_by: lastDay === undefined ? '' : dayOf(`${lastDay}T12:00:00Z`, locale, 'UTC'),
          pickup_shop: ServicePoint.parse(row.service_point)?.name ?? '',
          // Known where a return is the occasion.
          rma_no: '',
          return_url: '',
          shop_name: row.company,
          support_phone: settings.support_phone,
          support_email: settings.support_email,
        },
      },
    }
  })
  const byId = new Map(orders.map(order => [order.id, order]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** Also the addresses of marketplaces, which forward mail. */
const emailOf = (written: string | null): string | null => {
  const email = written?.trim() ?? ''
  return email.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(email) ? email : null
}

const courierName = (agent_code: string): string => courier(agent_code)?.capabilities.name ?? agent_code

const language = (locale: Locale) => locale.replace('_', '-').replace('no-', 'nb-')
const dayOf = (at: string, locale: Locale, timeZone: string): string =>
  new Intl.DateTimeFormat(language(locale), { day: 'numeric', month: 'long', timeZone }).format(new Date(at))

/** With plain spaces: a narrow one would make a text message of the GSM alphabet twice as dear. */
const moneyText = (minor: number, currency: string, locale: Locale): string =>
  new Intl.NumberFormat(language(locale), { style: 'currency', currency, currencyDisplay: 'code' })
    .format(minor / 10 ** decimalsOf(currency))
    .replace(/\s/g, ' ')
