/** Pickers of a wagon: who claims, joins, leaves and leads it, and when it is picked or paused. */
import { sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import type { WagonKey } from '#features/warehouse/paperless/paperless.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { insertEventsText } from '#platform/database/events.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import { type PickTools, settleList } from './pick-lists.queries.ts'
import { activeWagonStates, wagonSentences, wagonTopic } from './pick-lists.rules.ts'

/** Who walks with a wagon, the longest first. */
export const peopleOn = (db: Db, { pick_list_id, wagon_no }: WagonKey): Promise<{ user_id: number; user_name: string }[]> =>
  db
    .selectFrom('pick_wagon_people')
    .select(['user_id', 'user_name'])
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('left_at', 'is', null)
    .orderBy('joined_at')
    .execute()

/** The picker leads the wagon from now on. A wagon on which work began goes on, another is claimed. */
export async function claimWagon(
  db: Db,
  { pick_list_id, wagon_no }: WagonKey,
  { user, begun, now }: { user: { id: number; name: string }; begun: boolean; now: Date },
): Promise<void> {
  await db
    .updateTable('pick_wagons')
    .set(eb => ({
      user_id: user.id,
      user_name: user.name,
      state: begun ? 'picking' : 'claimed',
      claimed_at: now.toISOString(),
      last_at: now.toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .execute()
}

/** A picker is at work: the wagon moves. Answers false when it did so before. */
export async function beginWalking(db: Db, { pick_list_id, wagon_no }: WagonKey, states: readonly string[]): Promise<boolean> {
  const changed = await db
    .updateTable('pick_wagons')
    .set(eb => ({
      state: 'picking',
      started_at: sql<string>`coalesce(started_at, clock_timestamp())`,
      last_at: sql<string>`clock_timestamp()`,
      picked_at: null,
      version: eb('version', '+', 1),
    }))
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', '=', sql<'open'>`any(${states}::text[])`)
    .returning('wagon_no')
    .execute()
  return changed.length > 0
}

/** New numbers in the walk for some lines. */
export async function renumberWalk(db: Db, walk: readonly { id: number; walk_no: number }[]): Promise<void> {
  await sql`update pick_lines l set walk_no = n.walk_no from unnest(${walk.map(one => one.id)}::bigint[], ${walk.map(one => one.walk_no)}::integer[]) n (id, walk_no)
    where l.operator_id = current_operator_id() and l.company_id = any (current_company_ids()) and l.id = n.id and l.walk_no <> n.walk_no`.execute(
    db,
  )
}

export async function join(
  { db }: Pick<TransactionContext, 'db'>,
  { pick_list_id, wagon_no }: WagonKey,
  user: { id: number; name: string },
): Promise<void> {
  await db
    .insertInto('pick_wagon_people')
    .values({ pick_list_id, wagon_no, user_id: user.id, user_name: user.name })
    .onConflict(c =>
      c.columns(['operator_id', 'pick_list_id', 'wagon_no', 'user_id']).doUpdateSet({ left_at: null, joined_at: sql`now()` }),
    )
    .execute()
}

/** The leader has left the wagon: the next picker leads, or the wagon is free. */
export async function handOn({ db }: Pick<TransactionContext, 'db'>, key: WagonKey): Promise<'open' | 'paused' | 'picking' | 'claimed'> {
  const [rest] = await peopleOn(db, key)
  const wagon = await db
    .selectFrom('pick_wagons')
    .select(['state', 'started_at'])
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const state = rest ? (wagon.state as 'picking') : wagon.started_at === null ? 'open' : 'paused'
  await db
    .updateTable('pick_wagons')
    .set(eb => ({ state, user_id: rest?.user_id ?? null, user_name: rest?.user_name ?? null, version: eb('version', '+', 1) }))
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .execute()
  return state
}

const noUser = 0

/** One picker leaves a wagon, or all (but one) do; lines that they had taken are free. */
export async function leave(
  { db }: Pick<TransactionContext, 'db'>,
  { pick_list_id, wagon_no }: WagonKey,
  who: { only: number } | { but: number } | 'everybody',
): Promise<void> {
  const [user_id, sign] =
    who === 'everybody' ? ([noUser, '<>'] as const) : 'only' in who ? ([who.only, '='] as const) : ([who.but, '<>'] as const)
  await db
    .updateTable('pick_wagon_people')
    .set({ left_at: sql<string>`clock_timestamp()` })
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('left_at', 'is', null)
    .where('user_id', sign, user_id)
    .execute()
  await db
    .updateTable('pick_lines')
    .set({ taken_by: null, taken_by_name: null, taken_at: null })
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', 'in', ['open', 'skipped'])
    .where('taken_by', sign, user_id)
    .execute()
}

/** Pauses idle wagons of all tenants, for the schedule. */
export async function pauseIdleWagons(db: Db, before: Date): Promise<{ operator_id: number; pick_list_id: number; company_id: number }[]> {
  const { rows } = await sql<{ operator_id: number; pick_list_id: number; company_id: number }>`
    update pick_wagons w set state = 'paused', version = w.version + 1
    from companies c
    where c.operator_id = w.operator_id and c.is_main and w.state = 'picking' and w.last_at < ${before.toISOString()}::timestamptz
    returning w.operator_id, w.pick_list_id, c.id company_id`.execute(db)
  return rows
}

/** Claims a free wagon again for a picker who kept working offline after the wagon was freed. Answers false when another has it. */
export async function reclaimWagon(db: Db, key: WagonKey, user: { id: number; name: string }): Promise<boolean> {
  const claimed = await db
    .updateTable('pick_wagons')
    .set(eb => ({
      state: 'claimed',
      user_id: user.id,
      user_name: user.name,
      claimed_at: sql<string>`clock_timestamp()`,
      last_at: sql<string>`clock_timestamp()`,
      version: eb('version', '+', 1),
    }))
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .where('state', '=', 'open')
    .where('user_id', 'is', null)
    .returning('wagon_no')
    .executeTakeFirst()
  if (!claimed) return false
  await join({ db }, key, user)
  return true
}

const cameBack = sql.raw(
  insertEventsText(
    ['operator_id', 'company_id', 'kind', 'subject', 'subject_id', 'actor_company_id', 'actor_name', 'data'],
    `select due.operator_id, c.id, 'pick_wagon.came_back', 'pick_list', due.pick_list_id, c.id, 'system',
      jsonb_build_object('wagon', due.wagon_no, 'from', due.user_name)
    from due join companies c on c.operator_id = due.operator_id and c.is_main`,
  ),
)

/** Frees wagons of all tenants that were claimed and not begun in time, for the schedule. */
export async function freeUnbegunWagons(
  db: Db,
  before: Date,
): Promise<{ operator_id: number; pick_list_id: number; company_id: number }[]> {
  const { rows } = await sql<{ operator_id: number; pick_list_id: number; company_id: number }>`
    with due as (
      select w.operator_id, w.pick_list_id, w.wagon_no, w.user_name from pick_wagons w
      where w.state = 'claimed' and w.started_at is null and w.last_at < ${before.toISOString()}::timestamptz for no key update skip locked),
    freed as (
      update pick_wagons w set state = 'open', user_id = null, user_name = null, claimed_at = null, version = w.version + 1
      from due where w.operator_id = due.operator_id and w.pick_list_id = due.pick_list_id and w.wagon_no = due.wagon_no),
    left_it as (
      update pick_wagon_people m set left_at = clock_timestamp()
      from due where m.operator_id = due.operator_id and m.pick_list_id = due.pick_list_id and m.wagon_no = due.wagon_no and m.left_at is null),
    happened as (${cameBack})
    select due.operator_id, due.pick_list_id, c.id company_id from due join companies c on c.operator_id = due.operator_id and c.is_main`.execute(
    db,
  )
  return rows
}

/** A picker takes a break: the wagon is paused where it is claimed or picked. */
export async function pauseWagon(db: Db, { pick_list_id, wagon_no }: WagonKey, now: Date): Promise<void> {
  await db
    .updateTable('pick_wagons')
    .set(eb => ({ state: 'paused', last_at: now.toISOString(), version: eb('version', '+', 1) }))
    .where('pick_list_id', '=', pick_list_id)
    .where('wagon_no', '=', wagon_no)
    .where('state', 'in', ['claimed', 'picking'])
    .execute()
}

/**
 * Takes a wagon from all of its pickers. Answers its state: open when work has not begun, else paused.
 *
 * @throws {AppError} 404; 409 when it has no picker, or is picked already
 */
export async function takeWagonBack(tools: PickTools, key: WagonKey): Promise<{ state: 'open' | 'paused' | 'picking' | 'claimed' }> {
  const { db, recordEvent, notify } = tools
  const { pick_list_id, wagon_no } = key
  const wagon = orNotFound(
    await db
      .selectFrom('pick_wagons')
      .select('state')
      .where('pick_list_id', '=', pick_list_id)
      .where('wagon_no', '=', wagon_no)
      .forNoKeyUpdate()
      .executeTakeFirst(),
    'wagon_not_found',
    'Wagon not found',
  )
  const people = await peopleOn(db, key)
  if (people.length === 0)
    throw wagon.state === 'cancelled'
      ? conflict('pick_list_cancelled', wagonSentences.listCancelled)
      : conflict('wagon_not_claimed', wagonSentences.notClaimed)
  if (!activeWagonStates.some(state => state === wagon.state)) throw conflict('wagon_finished', wagonSentences.wagonOver)
  await leave(tools, key, 'everybody')
  const state = await handOn(tools, key)
  await settleList(tools, pick_list_id, wagon_no)
  await recordEvent({
    kind: 'pick_wagon.taken_back',
    subject: 'pick_list',
    subject_id: pick_list_id,
    data: { wagon: wagon_no, from: people.map(one => one.user_name).join(', ') },
  })
  notify('pick_wagon', wagonTopic(key))
  notify('pick_list', pick_list_id)
  return { state }
}
