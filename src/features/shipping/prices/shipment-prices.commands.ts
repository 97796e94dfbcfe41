/** Writes what a shipment costs when it is booked. */
import * as z from 'zod'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import type { Context, RecordedEvent } from '#platform/http/feature-module.ts'
import { priceTable } from './prices.queries.ts'
import { priceOf } from './prices.rules.ts'

const Request = z.looseObject({
  parcel: z.looseObject({ size_mm: z.tuple([z.number(), z.number(), z.number()]).nullable().catch(null) }),
  parties: z.looseObject({ recipient: z.looseObject({ country: z.string(), postcode: z.string().catch('') }) }),
})

/** A method without a price of that day gives no row. */
export async function priceShipments(events: readonly RecordedEvent[], { db, now }: Context): Promise<void> {
  const ids = events.flatMap(event => event.subject_id ?? [])
  if (ids.length === 0) return
  const shipments = await db
    .selectFrom('shipments')
    .select(['id', 'company_id', 'agent_code', 'shipping_method', 'weight_g', 'request'])
    .where('id', 'in', ids)
    .execute()
  for (const { id, company_id, weight_g, request, ...method } of shipments) {
    const asked = Request.safeParse(request)
    if (!asked.success) continue
    const { time_zone } = await companySettings(db, company_id)
    const table = await priceTable(db, company_id, { ...method, day: localDay(now(), time_zone) })
    const { country, postcode } = asked.data.parties.recipient
    const price = priceOf(table, { country, postcode, weight_g, outer_mm: asked.data.parcel.size_mm })
    if (typeof price === 'string') continue
    const { parts, ...values } = price
    await db
      .insertInto('shipment_prices')
      .values({ ...values, parts: JSON.stringify(parts), shipment_id: id, company_id, priced_at: now().toISOString() })
      .onConflict(one => one.columns(['operator_id', 'shipment_id']).doNothing())
      .execute()
  }
}
