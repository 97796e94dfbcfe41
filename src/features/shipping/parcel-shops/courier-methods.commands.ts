/** Keeps what a courier says of a company's account and of postcodes. */
import type { Coverage, Method } from '#integrations/couriers/courier.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { detailsOf } from './courier-methods.queries.ts'

/** Methods of one account that are kept. */
const mostMethods = 1_000

/** Says when the account was asked, so that no one asks again at once. False where the courier is not set up. */
export async function markAsked(db: Db, company_id: number, agent_code: string, at: string): Promise<boolean> {
  const row = await db
    .updateTable('courier_settings')
    .set({ methods_asked_at: at })
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .returning('agent_code')
    .executeTakeFirst()
  return row !== undefined
}

/** Replaces the methods of an account by those that it has now; answers how many these are. */
export async function keepMethods(
  { db, recordEvent, notify, now }: Pick<Context, 'db' | 'recordEvent' | 'notify' | 'now'>,
  company_id: number,
  agent_code: string,
  methods: readonly Method[],
): Promise<number> {
  // The row of the settings is written first: two answers are kept one after the other.
  if (!(await markAsked(db, company_id, agent_code, now().toISOString()))) return 0
  const known = [...new Map(methods.map(one => [one.code, one])).values()].slice(0, mostMethods)
  const before = await db
    .selectFrom('courier_methods')
    .select('code')
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .execute()
  const codes = new Set(known.map(one => one.code))
  const gone = before.map(row => row.code).filter(code => !codes.has(code))
  if (gone.length > 0)
    await db
      .deleteFrom('courier_methods')
      .where('company_id', '=', company_id)
      .where('agent_code', '=', agent_code)
      .where('code', 'in', gone)
      .execute()
  if (known.length > 0)
    await db
      .insertInto('courier_methods')
      .values(
        known.map((method, position) => ({
          company_id,
          agent_code,
          code: method.code,
          name: method.name,
          position,
          details: JSON.stringify(detailsOf(method)),
        })),
      )
      .onConflict(same =>
        same.columns(['operator_id', 'company_id', 'agent_code', 'code']).doUpdateSet(eb => ({
          name: eb.ref('excluded.name'),
          position: eb.ref('excluded.position'),
          details: eb.ref('excluded.details'),
        })),
      )
      .execute()
  const earlier = new Set(before.map(row => row.code))
  const added = known.filter(one => !earlier.has(one.code)).length
  if (added > 0 || gone.length > 0)
    await recordEvent({ kind: 'courier.methods_changed', company_id, data: { agent_code, added, removed: gone.length } })
  notify('courier_settings', undefined, company_id)
  notify('shipping_method', undefined, company_id)
  return known.length
}

/** Hours for which an answer about a postcode holds. */
const coverageHours = 24

export interface KnownPostcode extends Coverage {
  postcode: string
}

/** What is known of these postcodes and still holds. */
export const knownPostcodes = (db: Db, agent_code: string, postcodes: readonly string[], now: Date): Promise<KnownPostcode[]> =>
  db
    .selectFrom('courier_postcodes')
    .select(['postcode', 'covered', 'area'])
    .where('agent_code', '=', agent_code)
    .where('postcode', 'in', [...postcodes, ''])
    .where('asked_at', '>', new Date(now.getTime() - coverageHours * 3_600_000).toISOString())
    .execute()

export async function keepPostcodes(db: Db, agent_code: string, answers: readonly KnownPostcode[], at: string): Promise<void> {
  if (answers.length === 0) return
  const rows = answers
    .map(({ postcode, covered, area }) => ({ agent_code, postcode, covered, area: area?.slice(0, 60) ?? null, asked_at: at }))
    .toSorted((a, b) => (a.postcode < b.postcode ? -1 : 1))
  await db
    .insertInto('courier_postcodes')
    .values(rows)
    .onConflict(same =>
      same.columns(['operator_id', 'agent_code', 'postcode']).doUpdateSet(eb => ({
        covered: eb.ref('excluded.covered'),
        area: eb.ref('excluded.area'),
        asked_at: eb.ref('excluded.asked_at'),
      })),
    )
    .execute()
}
