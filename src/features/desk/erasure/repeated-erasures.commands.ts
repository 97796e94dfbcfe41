/** The list of erasures: exported from a database, and asked again in one that a backup restored to a time before them. */
import type pg from 'pg'
import * as z from 'zod'

const Record = z.object({
  operator_id: z.number(),
  company_id: z.number(),
  state: z.enum(['waiting', 'running', 'done']),
  reason: z.string(),
  shop: z.string().nullable(),
  order_ids: z.array(z.number()),
  customer_ids: z.array(z.number()).default([]),
  created_at: z.string(),
})
/** Says which orders were erased, and nothing about their person. */
export type ErasureRecord = z.infer<typeof Record>

/** Reads a list as `npm run admin -- erasure list` prints it. Throws where it is not one. */
export const readErasureList = (text: string): ErasureRecord[] => z.array(Record).parse(JSON.parse(text))

/** All erasures of all tenants; the client's login owns the tables. */
export async function erasureRecords(client: pg.Client): Promise<ErasureRecord[]> {
  const present = await client.query<{ present: boolean }>(`select to_regclass('public.erasures') is not null present`)
  if (!present.rows[0]?.present) return []
  await client.query('begin')
  await client.query('set local role pakhus_system')
  const { rows } = await client.query<{ record: unknown }>(
    `select jsonb_build_object('operator_id', operator_id, 'company_id', company_id, 'state', state, 'reason', reason, 'shop', shop,
       'order_ids', order_ids, 'customer_ids', asked_customer_ids, 'created_at', created_at) record from erasures where kind = 'erase' order by operator_id, id`,
  )
  await client.query('commit')
  return rows.map(({ record }) => Record.parse(record))
}

export interface RepeatedErasure {
  operator_id: number
  company_id: number
  id: number
  /** It was done before: orders that are open again do not delay it. */
  was_done: boolean
}

/** Asks the erasures of a list again that the database does not have, or does not have as done; part of the caller's transaction. */
export async function repeatErasures(client: pg.Client, list: readonly ErasureRecord[]): Promise<RepeatedErasure[]> {
  await client.query('set local role pakhus_system')
  const { rows } = await client.query<RepeatedErasure>(
    `with listed as (
       select * from jsonb_to_recordset($1::jsonb)
         as l(operator_id bigint, company_id bigint, state text, reason text, shop text, order_ids jsonb, customer_ids jsonb, created_at timestamptz)
       where exists (select from companies c where c.operator_id = l.operator_id and c.id = l.company_id)),
     known as (
       select e.operator_id, e.company_id, e.id, e.created_at, l.state = 'done' as was_done from erasures e join listed l
       on l.operator_id = e.operator_id and l.company_id = e.company_id and l.created_at = e.created_at and l.reason = e.reason
         and l.order_ids = to_jsonb(e.order_ids) and l.shop is not distinct from e.shop
       where e.kind = 'erase'),
     again as (
       update erasures e set state = 'waiting', job_id = null from known k
       where k.operator_id = e.operator_id and k.id = e.id and e.state <> 'done' returning e.operator_id, e.company_id, e.id, k.was_done),
     made as (
       insert into erasures (operator_id, company_id, kind, reason, shop, order_ids, asked_customer_ids, created_at)
       select l.operator_id, l.company_id, 'erase', l.reason, l.shop, array(select jsonb_array_elements_text(l.order_ids)::bigint),
         array(select jsonb_array_elements_text(coalesce(l.customer_ids, '[]'))::bigint), l.created_at
       from listed l where not exists (
         select from erasures e where e.kind = 'erase' and e.operator_id = l.operator_id and e.company_id = l.company_id
         and e.created_at = l.created_at and e.reason = l.reason and to_jsonb(e.order_ids) = l.order_ids
         and e.shop is not distinct from l.shop)
       returning operator_id, company_id, id, created_at)
     select operator_id::float, company_id::float, id::float, was_done from again
     union all
     select m.operator_id::float, m.company_id::float, m.id::float,
       exists (select from listed l where l.operator_id = m.operator_id and l.company_id = m.company_id and l.created_at = m.created_at
         and l.state = 'done') from made m
     order by 1, 3`,
    [JSON.stringify(list)],
  )
  await client.query('set local role none')
  return rows
}
