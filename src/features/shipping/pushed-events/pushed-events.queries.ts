/** The parcels that couriers' events name. */
import { compiledQuery } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'

const withNumber = compiledQuery(
  (db, { company_id, agent_code, tracking_no }: { company_id: number; agent_code: string; tracking_no: string }) =>
    db
      .selectFrom('shipments')
      .select(['id', 'order_id'])
      .where('tracking_no', '=', tracking_no)
      .where('agent_code', '=', agent_code)
      .where('company_id', '=', company_id)
      .orderBy('id', 'desc')
      .limit(1),
)

/** The parcel of the company with this number; of a number that was used twice, the newest. */
export async function parcelOf(db: Db, company_id: number, agent_code: string, tracking_no: string) {
  const [parcel] = await withNumber(db, { company_id, agent_code, tracking_no })
  return parcel
}
