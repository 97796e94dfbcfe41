/** The methods that a company may use with a courier: the courier's own, or those of the company's account. */
import { sql } from 'kysely'
import * as z from 'zod'
import type { Courier, Method } from '#integrations/couriers/courier.ts'
import { couriers } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'

const Details = z.object({
  service_point: z.enum(['none', 'optional', 'required']).catch('none'),
  max_weight_g: z.number(),
  countries: z.literal('all').or(z.array(z.string())),
  services: z.array(z.object({ code: z.string(), name: z.string() })).catch([]),
  needs: z.array(z.enum(['phone', 'email', 'contact', 'weight', 'size'])).optional(),
  included: z.array(z.string()).optional(),
})

/** A method without what stands in columns. Services of accounts have no options. */
export const detailsOf = ({ code: _code, name: _name, ...details }: Method): z.input<typeof Details> => ({
  ...details,
  countries: details.countries === 'all' ? 'all' : [...details.countries],
  services: details.services.map(({ code, name }) => ({ code, name })),
  needs: details.needs && [...details.needs],
  included: details.included && [...details.included],
})

function methodOf({ code, name, details }: { code: string; name: string; details: unknown }): Method {
  const { services, ...known } = Details.parse(details)
  return { code, name, ...known, services: services.map(service => ({ ...service, options: [] })) }
}

const stored = (db: Db, company_id: number, agent_code: string) =>
  db
    .selectFrom('courier_methods')
    .select(['code', 'name', 'details'])
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .orderBy('position')

export async function methodsOffered(db: Db, company_id: number, { capabilities, accountMethods }: Courier): Promise<readonly Method[]> {
  if (!accountMethods) return capabilities.methods
  return (await stored(db, company_id, capabilities.agent_code).execute()).map(methodOf)
}

export async function methodOffered(
  db: Db,
  company_id: number,
  { capabilities, accountMethods }: Courier,
  code: string,
): Promise<Method | undefined> {
  if (!accountMethods) return capabilities.methods.find(one => one.code === code)
  const row = await stored(db, company_id, capabilities.agent_code).where('code', '=', code).executeTakeFirst()
  return row && methodOf(row)
}

/** The method of an account, for a booking; undefined where methods are the courier's own, or the account has it no more. */
export const accountMethod = async (db: Db, company_id: number, adapter: Courier, code: string): Promise<Method | undefined> =>
  adapter.accountMethods ? methodOffered(db, company_id, adapter, code) : undefined

/** Names of a courier's methods over all companies in reach. */
export async function methodNames(db: Db, agent_code: string): Promise<Map<string, string>> {
  const adapter = couriers.get(agent_code)
  if (!adapter?.accountMethods) return new Map(adapter?.capabilities.methods.map(one => [one.code, one.name]))
  const rows = await db
    .selectFrom('courier_methods')
    .select(['code', sql<string>`min(name)`.as('name')])
    .where('agent_code', '=', agent_code)
    .groupBy('code')
    .execute()
  return new Map(rows.map(row => [row.code, row.name]))
}

/** How many methods of accounts are kept by courier, and when each account was asked. */
export async function keptMethods(db: Db, company_id: number): Promise<Map<string, { methods: number; asked_at: string | null }>> {
  const { rows } = await sql<{ agent_code: string; methods: number; asked_at: string | null }>`
    select s.agent_code, s.methods_asked_at asked_at,
      (select count(*)::int from courier_methods m
        where m.operator_id = s.operator_id and m.company_id = s.company_id and m.agent_code = s.agent_code) methods
    from courier_settings s where s.operator_id = current_operator_id() and s.company_id = ${company_id}`.execute(db)
  return new Map(rows.map(({ agent_code, ...kept }) => [agent_code, kept]))
}
