/** Notes what came of the deliveries of couriers. */
import type { Db } from '#platform/database/database.ts'

export async function noteSecret(db: Db, company_id: number, agent_code: string, at: string): Promise<void> {
  await db
    .insertInto('courier_webhooks')
    .values({ company_id, agent_code, made_at: at })
    .onConflict(known => known.columns(['operator_id', 'company_id', 'agent_code']).doUpdateSet({ made_at: at, refused_at: null }))
    .execute()
}

/** To the minute: deliveries that come together do not wait for each other. */
export async function noteDelivery(
  db: Db,
  company_id: number,
  agent_code: string,
  what: 'received_at' | 'refused_at',
  now: Date,
): Promise<void> {
  const known = await db
    .selectFrom('courier_webhooks')
    .select(what)
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .executeTakeFirst()
  if (!known || now.getTime() - Date.parse(known[what] ?? '1970-01-01') < 60_000) return
  await db
    .updateTable('courier_webhooks')
    .set({ [what]: now.toISOString() })
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .execute()
}
