/** A company's settings of one courier: plain ones in their row, secret ones sealed beside the other secrets. */

import { sql } from 'kysely'
import * as z from 'zod'
import type { Courier } from '#integrations/couriers/courier.ts'
import { couriers, needsNoSettings } from '#integrations/couriers/couriers.ts'
import { openSecret } from '#platform/crypto/secret-store.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'

export const courierSecret = (agent_code: string, field: string): string => `courier:${agent_code}:${field}`

const Settings = z.record(z.string(), z.string())

/** What is kept in the clear, its version, and when it was saved. */
export async function plainSettings(db: Db, company_id: number, agent_code: string) {
  const row = await db
    .selectFrom('courier_settings')
    .select(['settings', 'version', 'updated_at'])
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .executeTakeFirst()
  return { settings: Settings.catch({}).parse(row?.settings ?? {}), version: row?.version ?? 0, updated_at: row?.updated_at ?? null }
}

/** Everything the adapter is given; secrets opened. Never send this to a browser. */
export async function courierSettings(db: Db, vault: Vault, company_id: number, agent_code: string): Promise<Record<string, string>> {
  const secret = (couriers.get(agent_code)?.capabilities.settings ?? []).filter(field => field.secret).map(field => field.name)
  if (secret.length === 0) return (await plainSettings(db, company_id, agent_code)).settings
  const rows = await db
    .selectFrom('companies as c')
    .leftJoin('courier_settings as s', join => join.onRef('s.company_id', '=', 'c.id').on('s.agent_code', '=', agent_code))
    .leftJoin('secrets as k', join =>
      join.onRef('k.company_id', '=', 'c.id').on('k.name', '=', sql<string>`any(${secret.map(name => courierSecret(agent_code, name))})`),
    )
    .select(['c.operator_id', 's.settings', 'k.name', 'k.sealed'])
    .where('c.id', '=', company_id)
    .execute()
  const settings = Settings.catch({}).parse(rows[0]?.settings ?? {})
  for (const { operator_id, name, sealed } of rows) {
    if (name === null || sealed === null) continue
    const plain = openSecret(vault, { operator_id, company_id, name }, sealed)
    if (plain !== null) settings[name.slice(courierSecret(agent_code, '').length)] = plain
  }
  return settings
}

/** The couriers that a company may choose: those that need no settings, and those that it has set up. */
export async function offeredCouriers(db: Db, company_id: number): Promise<Courier[]> {
  const rows = await db.selectFrom('courier_settings').select('agent_code').where('company_id', '=', company_id).execute()
  const set = new Set(rows.map(row => row.agent_code))
  return [...couriers.values()].filter(one => needsNoSettings(one) || set.has(one.capabilities.agent_code))
}

/** The last four characters of each secret that is kept. */
export async function keptSecrets(db: Db, company_id: number, agent_code: string): Promise<Map<string, string>> {
  const prefix = courierSecret(agent_code, '')
  const rows = await db.selectFrom('secrets').select(['name', 'last4']).where('company_id', '=', company_id).execute()
  return new Map(rows.filter(row => row.name.startsWith(prefix)).map(row => [row.name.slice(prefix.length), row.last4]))
}

/** Writes the plain settings where `version` is still the saved one; false when it is not. */
export async function savePlainSettings(
  db: Db,
  company_id: number,
  agent_code: string,
  { settings, version, at }: { settings: Record<string, string>; version: number; at: string },
): Promise<boolean> {
  const text = JSON.stringify(settings)
  const saved =
    version === 0
      ? await db
          .insertInto('courier_settings')
          .values({ company_id, agent_code, settings: text, updated_at: at })
          .onConflict(taken => taken.columns(['operator_id', 'company_id', 'agent_code']).doNothing())
          .returning('version')
          .executeTakeFirst()
      : await db
          .updateTable('courier_settings')
          .set(eb => ({ settings: text, updated_at: at, version: eb('version', '+', 1) }))
          .where('company_id', '=', company_id)
          .where('agent_code', '=', agent_code)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst()
  return saved !== undefined
}
