/** The parcels that couriers' events name. */
import type { Db } from '#platform/database/database.ts'

/** The parcel of the company with this number; of a number that was used twice, the newest. */
export async function parcelOf(db: Db, company_id: number, agent_code: string, tracking_no: string) {
  return db
    .selectFrom('shipments')
    .select(['id', 'order_id'])
    .where('tracking_no', '=', tracking_no)
    .where('agent_code', '=', agent_code)
    .where('company_id', '=', company_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
