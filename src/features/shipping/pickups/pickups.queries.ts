/** Pickups as people look for them, and what waits for each courier. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { offeredCouriers } from '#features/shipping/parcel-shops/courier-settings.queries.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import type { PickupState } from './pickups.codes.ts'
import type { Pickup, Question } from './pickups.schemas.ts'

/** Longer than a courier is given to answer. */
const answerMinutes = 2

const allOf = (db: Db) => db.selectFrom('pickups as x').innerJoin('companies as c', 'c.id', 'x.company_id')

/** The server that asked the courier may have stopped meanwhile. */
const stateAt = (now: Date) =>
  sql<PickupState>`case when x.state = 'ordering' and x.created_at < ${new Date(now.getTime() - answerMinutes * 60_000).toISOString()}::timestamptz
    then 'unknown' else x.state end`

function asked(db: Db, { query, view, agent_code, company_id }: Omit<Question, 'sort'>, now: Date) {
  let rows = allOf(db)
  if (view === 'open')
    rows = rows
      .where('x.state', 'in', ['ordering', 'ordered', 'unknown'])
      .where(sql<boolean>`coalesce(x.comes_on, x.day) >= ${now.toISOString().slice(0, 10)}::date`)
  if (view === 'unknown') rows = rows.where(sql<boolean>`${stateAt(now)} = 'unknown'`)
  if (agent_code) rows = rows.where('x.agent_code', '=', agent_code)
  if (company_id) rows = rows.where('x.company_id', '=', company_id)
  return query === '' ? rows : rows.where(sql<boolean>`concat_ws(' ', x.courier_no, x.note) ilike ${containing(query)}`)
}

const shown = (rows: ReturnType<typeof allOf>, now: Date) =>
  rows
    .select(['x.id', 'x.company_id', 'c.name as company', 'x.agent_code', 'x.day', 'x.from_time', 'x.to_time', 'x.parcels', 'x.weight_g'])
    .select(['x.note', 'x.courier_no', 'x.comes_on', 'x.words', 'x.created_by', 'x.created_at', 'x.cancelled_at', 'x.version'])
    .select(stateAt(now).as('state'))

type Row = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]

const toPickup = (row: Row): Pickup => ({
  ...row,
  can_cancel: row.state === 'ordered' && row.courier_no !== null && courier(row.agent_code)?.pickup?.cancel !== undefined,
})

export async function pickupsPage(
  db: Db,
  { sort, ...question }: Question,
  now: Date,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: Pickup[]; total: number; total_is_more: boolean }> {
  const columns = { day: 'x.day', courier: 'x.agent_code', created: 'x.created_at' } as const
  const name = sort.replace('-', '')
  const column = name === 'courier' ? columns.courier : name === 'created' ? columns.created : columns.day
  const rows = await shown(asked(db, question, now), now)
    .orderBy(column, sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy('x.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return { rows: rows.map(toPickup), ...(await cappedCount(db, asked(db, question, now))) }
}

export const pickupById = async (db: Db, id: number, now: Date): Promise<Pickup> =>
  toPickup(orNotFound(await shown(allOf(db).where('x.id', '=', id), now).executeTakeFirst(), 'pickup_not_found', 'Pickup not found'))

export const pickupOfClient = (db: Db, company_id: number, client_id: string): Promise<{ id: number } | undefined> =>
  db.selectFrom('pickups').select('id').where('company_id', '=', company_id).where('client_id', '=', client_id).executeTakeFirst()

/** As many as a pickup may have parcels. */
const mostNumbers = 999

/** The parcels that a courier has not got yet, the oldest first. */
export async function waitingNumbers(db: Db, company_id: number, agent_code: string): Promise<string[]> {
  const rows = await waiting(db, company_id, [agent_code]).select('tracking_no').orderBy('id').limit(mostNumbers).execute()
  return rows.flatMap(row => row.tracking_no ?? [])
}

const waiting = (db: Db, company_id: number, agent_codes: readonly string[]) =>
  db
    .selectFrom('shipments')
    .where('company_id', '=', company_id)
    .where('state', '=', 'booked')
    .where('operation_code', '=', 'outbound')
    .where('agent_code', 'in', ['', ...agent_codes])

/** The couriers that a company has set up and that collect when they are asked, with its parcels that they have not got yet. */
export async function pickupCouriers(db: Db, company_id: number) {
  const known = (await offeredCouriers(db, company_id)).filter(one => one.pickup !== undefined)
  const rows = await waiting(
    db,
    company_id,
    known.map(one => one.capabilities.agent_code),
  )
    .select('agent_code')
    .select(eb => [eb.fn.countAll<number>().as('parcels'), sql<number>`coalesce(sum(weight_g), 0)::bigint`.as('weight_g')])
    .groupBy('agent_code')
    .execute()
  return known.map(({ capabilities: { agent_code, name, pickup_window = false }, pickup }) => {
    const row = rows.find(one => one.agent_code === agent_code)
    return {
      agent_code,
      name,
      can_cancel: pickup?.cancel !== undefined,
      window: pickup_window,
      parcels: Number(row?.parcels ?? 0),
      weight_g: Number(row?.weight_g ?? 0),
    }
  })
}
