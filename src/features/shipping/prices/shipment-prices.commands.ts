/** Writes what a shipment costs when it is booked. */
import * as z from 'zod'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import type { Context, RecordedEvent } from '#platform/http/feature-module.ts'
import { priceTable } from './prices.queries.ts'
import { priceOf } from './prices.rules.ts'

const Request = z.looseObject({
  parcel: z.looseObject({ size_mm: z.tuple([z.number(), z.number(), z.number()]).nullable().catch(null) }),
})
const Recipient = z.looseObject({ country: z.string(), postcode: z.string().catch('') })

/** A method without a price of that day gives no row. */
export async function priceShipments(events: readonly RecordedEvent[], { db, now }: Context): Promise<void> {
  const ids = events.flatMap(event => event.subject_id ?? [])
  if (ids.length === 0) return
  const shipments = await db
    .selectFrom('shipments as s')
    .innerJoin('shipment_parties as p', j =>
      j.onRef('p.operator_id', '=', 's.operator_id').onRef('p.shipment_id', '=', 's.id').on('p.role', '=', 'recipient'),
    )
    .innerJoin('companies as c', 'c.id', 's.company_id')
    .select(['s.id', 's.company_id', 's.agent_code', 's.shipping_method', 's.weight_g', 's.request', 'p.party', 'c.settings'])
    .where('s.id', 'in', ids)
    .execute()
  for (const { id, company_id, weight_g, request, party, settings, ...method } of shipments) {
    const [asked, recipient] = [Request.safeParse(request), Recipient.safeParse(party)]
    if (!recipient.success) continue
    const { time_zone } = CompanySettings.parse(settings)
    const table = await priceTable(db, company_id, { ...method, day: localDay(now(), time_zone) })
    const { country, postcode } = recipient.data
    const price = priceOf(table, { country, postcode, weight_g, outer_mm: asked.data?.parcel.size_mm ?? null })
    if (typeof price === 'string') continue
    const { parts, ...values } = price
    await db
      .insertInto('shipment_prices')
      .values({ ...values, parts: JSON.stringify(parts), shipment_id: id, company_id, priced_at: now().toISOString() })
      .onConflict(one => one.columns(['operator_id', 'shipment_id']).doNothing())
      .execute()
  }
}
