/** Reading customers: what new orders are compared with, and what a company may see of a customer. */
import { sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'
import type { CheckType, KnownLookup, Lookup } from './customers.rules.ts'
import { lookupKey } from './customers.rules.ts'

/** `[n, customer_id, seen, here]` as JSON for each of the asked lookups that belongs to a customer; the places hold texts of types and values. */
export const knownLookupsText = (types: string, values: string) => `
  select coalesce(jsonb_agg(jsonb_build_array(k.n, l.customer_id, l.seen, l.here)), '[]')
  from unnest(${types}::text[], ${values}::text[]) with ordinality k(check_type, check_value, n),
    lateral (select l.customer_id, current_company_id() = any (l.seen_by) as seen,
        exists (select from customer_companies c where c.operator_id = l.operator_id and c.customer_id = l.customer_id
          and c.company_id = current_company_id()) as here
      from customer_lookups l where l.operator_id = current_operator_id() and l.check_type = k.check_type and l.check_value = k.check_value
        and l.removed_at is null and not l.ignored limit 1) l`

export type KnownLookupRow = [n: number, customer_id: number, seen: boolean, here: boolean]

export const knownLookups = (asked: readonly Lookup[], rows: readonly KnownLookupRow[]): Map<string, KnownLookup> =>
  new Map(rows.map(([n, customer_id, seen, here]) => [lookupKey(elementAt(asked, n - 1)), { customer_id, seen, here }]))

export interface Customer {
  id: number
  /** The names under which the companies in scope know the customer. */
  companies: { company_id: number; name: string }[]
  lookups: { check_type: CheckType; check_value: string }[]
}

/** The customer as the companies in scope know it; undefined where none of them does. */
export async function customerById(db: Db, id: number): Promise<Customer | undefined> {
  const root = await db.selectFrom('customers').select('root_id').where('id', '=', id).executeTakeFirst()
  if (!root) return undefined
  const companies = await db
    .selectFrom('customer_companies as c')
    .innerJoin('customers as m', 'm.id', 'c.customer_id')
    .select(['c.company_id', 'c.name'])
    .where('m.root_id', '=', root.root_id)
    .orderBy('c.company_id')
    .execute()
  if (companies.length === 0) return undefined
  const lookups = await db
    .selectFrom('customer_lookups as l')
    .innerJoin('customers as m', 'm.id', 'l.customer_id')
    .select(['l.check_type', 'l.check_value'])
    .where('m.root_id', '=', root.root_id)
    .where('l.removed_at', 'is', null)
    .where(sql<boolean>`l.seen_by && ${companies.map(one => one.company_id)}::bigint[]`)
    .orderBy('l.id')
    .execute()
  return { id: root.root_id, companies, lookups }
}
