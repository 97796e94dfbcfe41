/** Reads of punches. */
import { sql } from 'kysely'
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { forgottenAfterHours } from './punch.codes.ts'
import { KioskReject, Punch, type PunchHistory, PunchVersion } from './punch-clock.schemas.ts'

/** The driver gives instants as the database writes them; answers hold ISO texts. */
const Moment = z.string().transform(text => new Date(text).toISOString())
const MomentOrNull = Moment.nullable()
const moments = {
  started_at: MomentOrNull,
  ended_at: MomentOrNull,
  not_before: MomentOrNull,
  not_after: MomentOrNull,
  out_not_before: MomentOrNull,
  out_not_after: MomentOrNull,
  asked_at: MomentOrNull,
}
const StoredPunch = Punch.extend(moments)
const StoredVersion = PunchVersion.extend({ started_at: MomentOrNull, ended_at: MomentOrNull, at: Moment })

const validated = sql<boolean>`(p.state = 'validated')`.as('validated')

const selected = (db: Db) =>
  db
    .selectFrom('punches as p')
    .innerJoin('users as u', j => j.onRef('u.operator_id', '=', 'p.operator_id').onRef('u.id', '=', 'p.user_id'))
    .select([
      'p.id',
      'p.user_id',
      'u.name as user_name',
      'p.work_date',
      'p.type',
      'p.started_at',
      'p.ended_at',
      'p.not_before',
      'p.not_after',
      'p.out_not_before',
      'p.out_not_after',
      'p.state',
      'p.source',
      'p.way',
      'p.station',
      'p.shift_id',
      'p.early_out',
      'p.asked_at',
      'p.version',
    ])
    .select(sql<string | null>`(select a.name from users a where a.operator_id = p.operator_id and a.id = p.asked_by)`.as('asked_by'))
    .select(validated)

export async function punchById(db: Db, id: number): Promise<Punch> {
  const row = await selected(db).where('p.id', '=', id).executeTakeFirst()
  return StoredPunch.parse(orNotFound(row, 'punch_not_found', 'Time entry not found'))
}

/** The same, kept from changing until the end of the transaction. */
export async function lockedPunch(db: Db, id: number): Promise<Punch> {
  await db.selectFrom('punches').select('id').where('id', '=', id).forUpdate().execute()
  return punchById(db, id)
}

/** The punch that runs now. */
export async function openPunch(db: Db, user_id: number): Promise<Punch | null> {
  const row = await selected(db)
    .where('p.user_id', '=', user_id)
    .where('p.ended_at', 'is', null)
    .where('p.out_not_after', 'is', null)
    .where('p.state', 'in', ['open', 'time_unverified'])
    .executeTakeFirst()
  return row ? StoredPunch.parse(row) : null
}

export async function latestPunch(db: Db, user_id: number): Promise<Punch | null> {
  const row = await selected(db)
    .where('p.user_id', '=', user_id)
    .where('p.state', '<>', 'deleted')
    .orderBy('p.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? StoredPunch.parse(row) : null
}

/** When the shift of a punch ends, as staff see it; null without one. */
export async function shiftEndOf(db: Db, { shift_id }: Pick<Punch, 'shift_id'>): Promise<string | null> {
  if (shift_id === null) return null
  const row = await db.selectFrom('schedule_entries').select('published_end_at').where('id', '=', shift_id).executeTakeFirst()
  return MomentOrNull.parse(row?.published_end_at ?? null)
}

/** The newest forgotten clock-out of the last fortnight, about which the kiosk asks. */
export async function forgottenPunch(db: Db, user_id: number, now: Date): Promise<Punch | null> {
  const row = await selected(db)
    .where('p.user_id', '=', user_id)
    .where('p.state', '=', 'missing_out')
    .where('p.started_at', '>', new Date(now.getTime() - 14 * 86_400_000).toISOString())
    .orderBy('p.started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? StoredPunch.parse(row) : null
}

/** Punches of days, deleted ones left out. */
export async function punchesBetween(
  db: Db,
  { from, to, user_id }: { from: string; to: string; user_id?: number | undefined },
): Promise<Punch[]> {
  let query = selected(db).where('p.work_date', '>=', from).where('p.work_date', '<=', to).where('p.state', '<>', 'deleted')
  if (user_id !== undefined) query = query.where('p.user_id', '=', user_id)
  const rows = await query.orderBy('p.work_date').orderBy('p.id').execute()
  return rows.map(row => StoredPunch.parse(row))
}

async function withVersions(db: Db, punches: readonly Punch[]): Promise<PunchHistory[]> {
  if (punches.length === 0) return []
  const ids = punches.map(punch => punch.id)
  const rows = await db
    .selectFrom('punch_versions as v')
    .leftJoin('punch_notes as n', j =>
      j.onRef('n.operator_id', '=', 'v.operator_id').onRef('n.punch_id', '=', 'v.punch_id').onRef('n.no', '=', 'v.no'),
    )
    .select([
      'v.punch_id',
      'v.no',
      'v.why',
      'v.work_date',
      'v.type',
      'v.started_at',
      'v.ended_at',
      'v.state',
      'v.removal',
      'v.by_name',
      'v.at',
    ])
    .select('n.note')
    .where('v.punch_id', 'in', ids)
    .orderBy('v.no')
    .execute()
  const byPunch = new Map<number, PunchVersion[]>()
  for (const { punch_id, ...row } of rows) byPunch.set(punch_id, [...(byPunch.get(punch_id) ?? []), StoredVersion.parse(row)])
  return punches.map(punch => ({ ...punch, versions: byPunch.get(punch.id) ?? [] }))
}

export async function lastPunches(db: Db, user_id: number, limit: number): Promise<PunchHistory[]> {
  const rows = await selected(db).where('p.user_id', '=', user_id).orderBy('p.id', 'desc').limit(limit).execute()
  return withVersions(
    db,
    rows.map(row => StoredPunch.parse(row)),
  )
}

export async function punchesPage(
  db: Db,
  { from, to, user_id, ...paging }: { from: string; to: string; user_id?: number | undefined; page: number; limit: number },
): Promise<Page<PunchHistory>> {
  let matching = selected(db).where('p.work_date', '>=', from).where('p.work_date', '<=', to)
  if (user_id !== undefined) matching = matching.where('p.user_id', '=', user_id)
  const rows = await matching
    .orderBy('p.work_date', 'desc')
    .orderBy('u.name')
    .orderBy('p.id')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return {
    rows: await withVersions(
      db,
      rows.map(row => StoredPunch.parse(row)),
    ),
    ...(await cappedCount(db, matching)),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

const forgottenBefore = (now: Date) => new Date(now.getTime() - forgottenAfterHours * 3_600_000).toISOString()

const lateAfterShift = 3_600_000

/** Clock-ins without a clock-out: those that were flagged, and those whose shift ended more than an hour ago or that soon will be. */
export async function missingOuts(db: Db, now: Date): Promise<Punch[]> {
  const rows = await selected(db)
    .where(eb =>
      eb.or([
        eb('p.state', '=', 'missing_out'),
        eb.and([
          eb('p.state', '=', 'open'),
          eb('p.ended_at', 'is', null),
          eb.or([
            eb('p.started_at', '<', forgottenBefore(now)),
            eb.exists(
              eb
                .selectFrom('schedule_entries as e')
                .select('e.id')
                .whereRef('e.id', '=', 'p.shift_id')
                .where('e.published_end_at', '<', new Date(now.getTime() - lateAfterShift).toISOString()),
            ),
          ]),
        ]),
      ]),
    )
    .orderBy('p.started_at')
    .limit(500)
    .execute()
  return rows.map(row => StoredPunch.parse(row))
}

const counted = 1_000

/** What someone has to look at: corrections first, then missing times, then the rest. */
export async function toLookAt(db: Db, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  const within = <Q extends ReturnType<typeof selected>>(query: Q) => {
    let narrowed: ReturnType<typeof selected> = query
    if (from) narrowed = narrowed.where('p.work_date', '>=', from)
    if (to) narrowed = narrowed.where('p.work_date', '<=', to)
    return narrowed
  }
  const count = async (states: readonly Punch['state'][]) =>
    (await within(selected(db)).where('p.state', 'in', states).where('p.ended_at', 'is not', null).limit(counted).execute()).length
  const [to_validate, missing_out, unverified, corrections] = [
    await count(['closed']),
    (await within(selected(db)).where('p.state', '=', 'missing_out').limit(counted).execute()).length,
    (await within(selected(db)).where('p.state', '=', 'time_unverified').limit(counted).execute()).length,
    (await within(selected(db)).where('p.state', '=', 'correction_requested').limit(counted).execute()).length,
  ]
  const rows = await within(selected(db))
    .where('p.state', 'in', ['correction_requested', 'missing_out', 'time_unverified'])
    .orderBy(sql`array_position(array['correction_requested', 'missing_out', 'time_unverified'], p.state)`)
    .orderBy('p.work_date')
    .limit(50)
    .execute()
  const rejected = await db
    .selectFrom('kiosk_rejects')
    .select(['client_id', 'received_at', 'estimate', 'why', 'employee_no'])
    .where('seen_at', 'is', null)
    .orderBy('received_at', 'desc')
    .limit(counted)
    .execute()
  return {
    to_validate,
    missing_out,
    unverified,
    corrections,
    rejects: rejected.length,
    rows: await withVersions(
      db,
      rows.map(row => StoredPunch.parse(row)),
    ),
    rejected: rejected.slice(0, 50).map(row => StoredReject.parse(row)),
  }
}
const StoredReject = KioskReject.extend({ received_at: Moment, estimate: MomentOrNull })

/** The asked state of a punch whose correction waits. */
export async function askedVersion(db: Db, punch_id: number) {
  const row = await db
    .selectFrom('punch_versions')
    .select(['no', 'work_date', 'type', 'started_at', 'ended_at', 'removal', 'by_user_id'])
    .where('punch_id', '=', punch_id)
    .where('why', '=', 'request')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return orNotFound(row, 'punch_not_found', 'Time entry not found')
}

/** The state before the correction was asked for. */
export async function versionBefore(db: Db, punch_id: number) {
  return db
    .selectFrom('punch_versions')
    .select(['no', 'state', 'ended_at'])
    .where('punch_id', '=', punch_id)
    .where('why', '<>', 'request')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The version that a tap of this id made. */
export const versionOfTap = (db: Db, client_id: string) =>
  db.selectFrom('punch_versions').select(['punch_id', 'no', 'action', 'at']).where('client_id', '=', client_id).executeTakeFirst()

/** The tap that clocked out, where a kiosk or its person did. */
export const clockOutTap = async (db: Db, punch_id: number): Promise<string | null> =>
  (
    await db
      .selectFrom('punch_versions')
      .select('client_id')
      .where('punch_id', '=', punch_id)
      .where('action', '=', 'out')
      .orderBy('no', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.client_id ?? null

/** A punch of the person that this time would overlap. */
export const overlapping = (db: Db, span: { user_id: number; from: string; to: string; except: number }) =>
  db
    .selectFrom('punches')
    .select(['started_at', 'ended_at'])
    .where('user_id', '=', span.user_id)
    .where('id', '<>', span.except)
    .where('state', 'not in', ['deleted'])
    .where('started_at', '<', span.to)
    .where(eb => eb.or([eb('ended_at', '>', span.from), eb.and([eb('ended_at', 'is', null), eb('state', '=', 'open')])]))
    .limit(1)
    .executeTakeFirst()

interface PersonIn {
  user_id: number
  name: string
  type: Punch['type']
  since: string
  shift_end: string | null
}

/** Who is in now. */
export async function peopleIn(db: Db): Promise<PersonIn[]> {
  const rows = await selected(db)
    .leftJoin('schedule_entries as e', j => j.onRef('e.operator_id', '=', 'p.operator_id').onRef('e.id', '=', 'p.shift_id'))
    .select('e.published_end_at as shift_end')
    .where('p.ended_at', 'is', null)
    .where('p.out_not_after', 'is', null)
    .where('p.state', 'in', ['open', 'time_unverified'])
    .where('u.removed_at', 'is', null)
    .orderBy('u.name')
    .limit(500)
    .execute()
  return rows.map(row => {
    const punch = StoredPunch.parse(row)
    const since = punch.started_at ?? punch.not_before ?? ''
    return { user_id: punch.user_id, name: punch.user_name, type: punch.type, since, shift_end: MomentOrNull.parse(row.shift_end) }
  })
}

/** Everyone who may stand before the kiosk, and who is in by another way. */
export const roster = (db: Db, company_id: number, now_in: readonly number[]) =>
  db
    .selectFrom('users as u')
    .leftJoin('user_badges as b', j => j.onRef('b.operator_id', '=', 'u.operator_id').onRef('b.user_id', '=', 'u.id'))
    .leftJoin('user_pins as n', j => j.onRef('n.operator_id', '=', 'u.operator_id').onRef('n.user_id', '=', 'u.id'))
    .select(['u.id as user_id', 'u.name', 'u.employee_no', 'b.code_hash', 'n.user_id as pin_of'])
    .select(eb => eb('u.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'))
    .where('u.company_id', '=', company_id)
    .where('u.kind', '=', 'person')
    .where('u.removed_at', 'is', null)
    .where(eb =>
      eb.or([
        eb('b.user_id', 'is not', null),
        eb('n.user_id', 'is not', null),
        eb('u.id', '=', sql<number>`any(${[...now_in]}::bigint[])`),
      ]),
    )
    .orderBy('u.name')
    .limit(500)
    .execute()

export const peopleNamed = (db: Db, q: string) =>
  db
    .selectFrom('users as u')
    .select(['u.id as user_id', 'u.name'])
    .select(eb => eb('u.image_file_id', 'is not', null).$castTo<boolean>().as('has_image'))
    .where('u.kind', '=', 'person')
    .where('u.removed_at', 'is', null)
    .where(eb => eb.or([eb('u.name', 'ilike', containing(q)), eb('u.employee_no', '=', q)]))
    .orderBy('u.name')
    .limit(20)
    .execute()

/** Open clock-ins of every operator whose shift ended an hour ago, and about which their person was not mailed. */
export const punchesToRemind = (db: Db, now: Date) =>
  db
    .selectFrom('punches as p')
    .innerJoin('schedule_entries as e', j => j.onRef('e.operator_id', '=', 'p.operator_id').onRef('e.id', '=', 'p.shift_id'))
    .select(['p.operator_id', 'p.company_id', 'p.id'])
    .where('p.state', '=', 'open')
    .where('p.ended_at', 'is', null)
    .where('p.out_not_after', 'is', null)
    .where('p.reminded_at', 'is', null)
    .where('e.published_end_at', '<=', new Date(now.getTime() - lateAfterShift).toISOString())
    .orderBy('p.id')
    .limit(500)
    .execute()

/** Entries of every operator about which the person was mailed an hour ago and the leads were not. */
export const punchesForLeads = (db: Db, now: Date) =>
  db
    .selectFrom('punches')
    .select(['operator_id', 'company_id', 'id'])
    .where('reminded_at', '<=', new Date(now.getTime() - lateAfterShift).toISOString())
    .where('leads_reminded_at', 'is', null)
    .orderBy('id')
    .limit(500)
    .execute()

/** How many clock-outs are missing in the company, and about which a mail has gone. */
export async function clockOutsMissing(db: Db): Promise<number> {
  const row = await db
    .selectFrom('punches')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('reminded_at', 'is not', null)
    .where('state', 'in', ['open', 'missing_out'])
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Open clock-ins of every operator whose clock-out was forgotten. */
export const forgottenPunches = (db: Db, now: Date) =>
  db
    .selectFrom('punches')
    .select(['operator_id', 'company_id', 'id'])
    .where('state', '=', 'open')
    .where('ended_at', 'is', null)
    .where('started_at', '<=', forgottenBefore(now))
    .orderBy('id')
    .limit(500)
    .execute()

/** Every punch of a person's day with its versions, deleted ones too. */
export async function dayHistory(db: Db, user_id: number, work_date: string): Promise<PunchHistory[]> {
  const rows = await selected(db).where('p.user_id', '=', user_id).where('p.work_date', '=', work_date).orderBy('p.id').execute()
  return withVersions(
    db,
    rows.map(row => StoredPunch.parse(row)),
  )
}
