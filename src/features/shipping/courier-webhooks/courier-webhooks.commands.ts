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
const noteSeconds = 60
const longAgo = (now: Date) => new Date(now.getTime() - noteSeconds * 1_000).toISOString()

/** Whether a delivery that comes now needs no note: one of the last minute is noted, or there is no webhook. */
export async function isDeliveryNoted(db: Db, company_id: number, agent_code: string, now: Date): Promise<boolean> {
  const before = await db
    .selectFrom('courier_webhooks')
    .select('agent_code')
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .where(eb => eb.or([eb('received_at', 'is', null), eb('received_at', '<=', longAgo(now))]))
    .executeTakeFirst()
  return before === undefined
}

export async function noteDelivery(
  db: Db,
  company_id: number,
  agent_code: string,
  what: 'received_at' | 'refused_at',
  now: Date,
): Promise<void> {
  await db
    .updateTable('courier_webhooks')
    .set({ [what]: now.toISOString() })
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .where(eb => eb.or([eb(what, 'is', null), eb(what, '<=', longAgo(now))]))
    .execute()
}
