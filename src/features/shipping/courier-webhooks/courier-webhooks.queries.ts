/** What is known of a courier's webhook. */
import type { Db } from '#platform/database/database.ts'

/** Name under which the secret lies. A setting of a courier has no such name. */
export const webhookSecret = (agent_code: string): string => `courier:${agent_code}:webhook:secret`

export async function webhookOf(db: Db, company_id: number, agent_code: string) {
  const [row, secret] = await Promise.all([
    db
      .selectFrom('courier_webhooks')
      .select(['made_at', 'received_at', 'refused_at'])
      .where('company_id', '=', company_id)
      .where('agent_code', '=', agent_code)
      .executeTakeFirst(),
    db
      .selectFrom('secrets')
      .select('last4')
      .where('company_id', '=', company_id)
      .where('name', '=', webhookSecret(agent_code))
      .executeTakeFirst(),
  ])
  return {
    last4: secret?.last4 ?? null,
    made_at: secret ? (row?.made_at ?? null) : null,
    received_at: row?.received_at ?? null,
    refused_at: row?.refused_at ?? null,
  }
}
