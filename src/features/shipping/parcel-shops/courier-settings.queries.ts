/** A company's settings of one courier: plain ones in their row, secret ones sealed beside the other secrets. */

import * as z from 'zod'
import { couriers } from '#integrations/couriers/couriers.ts'
import type { Db } from '#server/database.ts'
import type { Keeper } from '#server/keeper.ts'

export const courierSecret = (agent_code: string, field: string): string => `courier:${agent_code}:${field}`

const Settings = z.record(z.string(), z.string())

/** Everything the adapter is given; secrets opened. Never send this to a browser. */
export async function courierSettings(db: Db, keeper: Keeper, company_id: number, agent_code: string): Promise<Record<string, string>> {
  const row = await db
    .selectFrom('courier_settings')
    .select('settings')
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .executeTakeFirst()
  const settings = Settings.catch({}).parse(row?.settings ?? {})
  for (const field of couriers.get(agent_code)?.capabilities.settings ?? []) {
    if (!field.secret) continue
    const name = courierSecret(agent_code, field.name)
    const secret = await db
      .selectFrom('secrets')
      .select('sealed')
      .where('company_id', '=', company_id)
      .where('name', '=', name)
      .executeTakeFirst()
    if (secret) settings[field.name] = keeper.open(secret.sealed, `${company_id} ${name}`)
  }
  return settings
}
