/** Writes shifts: planned, changed, removed, published and undone. Changes of one company wait for each other. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { conflict, forbidden, orNotFound, unprocessable } from '#contract/errors.ts'
import { addDays } from '#domain/local-time.ts'
import { inLine } from '#features/company/users/users.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { toAppError } from '#platform/http/http-errors.ts'
import { mostChanges, undoMinutes } from './schedule.codes.ts'
import { entriesByIds, entryById, type Rules, warningsOf } from './schedule.queries.ts'
import type { BatchResult, NewShift, ScheduleEntry, ScheduleWarning } from './schedule.schemas.ts'
import { spanOf } from './shifts.rules.ts'

export const planInLine = ({ db, principal }: Context) => inLine(db, principal.company.id)

/** A shift with its instants, as the table holds it. */
function shiftValues(shift: NewShift, rules: Pick<Rules, 'time_zone'>) {
  const { start, end } = spanOf(shift, rules.time_zone)
  return { ...shift, start_at: new Date(start).toISOString(), end_at: new Date(end).toISOString() }
}

export async function nameOf(db: Db, user_id: number): Promise<string> {
  const row = await db.selectFrom('users').select('name').where('id', '=', user_id).where('removed_at', 'is', null).executeTakeFirst()
  return orNotFound(row, 'user_not_found', 'User not found').name
}

/** A person works one shift at a time, and none while away. */
async function mustBeFree(
  { db }: Context,
  shift: { user_id: number | null; start_at: string; end_at: string; work_date: string; start_local: string; end_local: string },
  except = 0,
): Promise<void> {
  if (shift.user_id === null) return
  const name = await nameOf(db, shift.user_id)
  const other = await db
    .selectFrom('schedule_entries')
    .select(['start_local', 'end_local'])
    .where('kind', '=', 'shift')
    .where('state', '<>', 'removed')
    .where('user_id', '=', shift.user_id)
    .where('id', '<>', except)
    .where('start_at', '<', shift.end_at)
    .where('end_at', '>', shift.start_at)
    .limit(1)
    .executeTakeFirst()
  if (other)
    throw conflict('entry_overlap', '{{name}} already works {{from}}–{{to}}.', { name, from: other.start_local, to: other.end_local })
  const leave = await db
    .selectFrom('schedule_entries')
    .select('id')
    .where('kind', '=', 'leave')
    .where('state', 'in', ['approved', 'cancel_requested', 'registered', 'seen'])
    .where('part', '=', 'full')
    .where('user_id', '=', shift.user_id)
    .where('work_date', '<=', shift.work_date)
    .where('date_to', '>=', shift.work_date)
    .limit(1)
    .executeTakeFirst()
  if (leave) throw conflict('on_leave', '{{name}} is away on {{day}}.', { name, day: shift.work_date })
}

/** Keeps what an entry was and is, so that the change can be undone. */
export async function keepChange(
  { db, principal, now }: Context,
  change_id: string,
  entry_id: number,
  before: object | null,
): Promise<void> {
  const changed_at = now().toISOString()
  await sql`insert into schedule_changes (change_id, entry_id, before, after, user_id, changed_by, changed_at)
    select ${change_id}::uuid, e.id, ${before === null ? null : JSON.stringify(before)}::jsonb, to_jsonb(e), ${principal.id}, ${principal.name}, ${changed_at}::timestamptz
    from schedule_entries e where e.operator_id = current_operator_id() and e.id = ${entry_id}`.execute(db)
}

/** The whole row, as a change keeps it. */
export async function rowOf(db: Db, id: number): Promise<object> {
  const { rows } = await sql<{ row: object }>`select to_jsonb(e) "row" from schedule_entries e
    where e.operator_id = current_operator_id() and e.company_id = current_company_id() and e.id = ${id}`.execute(db)
  return orNotFound(rows[0]?.row, 'shift_not_found', 'This entry is not there any more.')
}

/** Plans a shift as a draft. */
async function plan(context: Context, rules: Rules, shift: NewShift, given: { change_id: string; client_id?: string }): Promise<number> {
  const { db, principal, now } = context
  const values = shiftValues(shift, rules)
  await mustBeFree(context, values)
  const { id } = await db
    .insertInto('schedule_entries')
    .values({
      ...values,
      kind: 'shift',
      state: 'draft',
      unpublished: true,
      client_id: given.client_id ?? null,
      changed_by: principal.name,
      changed_at: now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await keepChange(context, given.change_id, id, null)
  return id
}

const changed = ({ recordEvent, notify }: Context, change_id: string, count: number) => {
  notify('schedule')
  return recordEvent({ kind: 'shift.changed', subject: 'schedule', data: { change_id, count } })
}

export async function createShift(context: Context, rules: Rules, shift: NewShift, client_id: string): Promise<number> {
  await planInLine(context)
  const id = await plan(context, rules, shift, { change_id: client_id, client_id })
  await changed(context, client_id, 1)
  return id
}

export async function updateShift(
  context: Context,
  rules: Rules,
  id: number,
  change: Partial<NewShift> & { version: number; change_id?: string | undefined },
): Promise<ScheduleEntry> {
  const { db, principal, now } = context
  await planInLine(context)
  const current = await entryById(db, id)
  const { version, change_id = randomUUID(), ...fields } = change
  if (current.state === 'removed') throw conflict('wrong_state', 'This is already {{state}}.', { state: current.state })
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  const values = shiftValues(
    {
      user_id: fields.user_id === undefined ? current.user_id : fields.user_id,
      work_date: fields.work_date ?? current.work_date,
      start_local: fields.start_local ?? current.start_local ?? '00:00',
      end_local: fields.end_local ?? current.end_local ?? '00:00',
      break_s: fields.break_s ?? current.break_s,
      station: fields.station === undefined ? current.station : fields.station,
      skill: fields.skill === undefined ? current.skill : fields.skill,
    },
    rules,
  )
  await mustBeFree(context, values, id)
  const before = await rowOf(db, id)
  await db
    .updateTable('schedule_entries')
    .set(eb => ({
      ...values,
      unpublished: true,
      changed_by: principal.name,
      changed_at: now().toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await keepChange(context, change_id, id, before)
  await changed(context, change_id, 1)
  return entryById(db, id)
}

/** A published shift is gone for staff with the next publication only. */
export async function removeShift(context: Context, id: number, change_id: string = randomUUID()): Promise<ScheduleEntry | null> {
  const { db, principal, now } = context
  await planInLine(context)
  const current = await entryById(db, id)
  if (current.state === 'removed') return null
  const before = await rowOf(db, id)
  await db
    .updateTable('schedule_entries')
    .set(eb => ({
      state: 'removed',
      unpublished: sql<boolean>`published_start_at is not null`,
      changed_by: principal.name,
      changed_at: now().toISOString(),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await keepChange(context, change_id, id, before)
  await db
    .updateTable('shift_offers')
    .set({ state: 'gone' })
    .where('entry_id', '=', id)
    .where('state', 'in', ['open', 'requested'])
    .execute()
  await changed(context, change_id, 1)
  return null
}

/** Plans many shifts; what cannot be is left out and named. With `dry`, nothing is planned. */
export async function planMany(
  context: Context,
  rules: Rules,
  change_id: string,
  shifts: readonly NewShift[],
  dry = false,
): Promise<BatchResult> {
  const { db } = context
  await planInLine(context)
  const ids: number[] = []
  const skipped: BatchResult['skipped'] = []
  for (const shift of shifts) {
    try {
      if (dry) await mustBeFree(context, shiftValues(shift, rules))
      else ids.push(await plan(context, rules, shift, { change_id }))
    } catch (error) {
      const { refusal, unexpected } = toAppError(error, 'shift')
      if (unexpected || refusal.status === 404) throw error
      skipped.push({
        name: shift.user_id === null ? '' : await nameOf(db, shift.user_id),
        day: shift.work_date,
        key: refusal.key,
        values: refusal.values,
      })
    }
  }
  if (ids.length > 0) await changed(context, change_id, ids.length)
  const entries = await entriesByIds(db, ids)
  const days = entries.map(entry => entry.work_date).sort()
  const people = [...new Set(entries.flatMap(entry => (entry.user_id === null ? [] : [entry.user_id])))]
  const [first, last] = [days[0], days.at(-1)]
  const warnings = first && last && people.length > 0 ? await warningsOf(db, rules, people, first, last) : []
  return { change_id, entries, skipped, warnings }
}

export async function copyWeek(
  context: Context,
  rules: Rules,
  {
    change_id,
    from_monday,
    to_monday,
    user_ids,
    dry_run,
  }: { change_id: string; from_monday: string; to_monday: string; user_ids: number[] | null; dry_run: boolean },
): Promise<BatchResult> {
  const rows = await shiftsOfWeek(context.db, from_monday)
  const gone = await removedPeople(context.db)
  const apart = (Date.parse(to_monday) - Date.parse(from_monday)) / 86_400_000
  const shifts = rows
    .filter(row => user_ids === null || (row.user_id !== null && user_ids.includes(row.user_id)))
    // The shifts of people who have left are open ones.
    .map(row => ({
      ...row,
      user_id: row.user_id !== null && gone.has(row.user_id) ? null : row.user_id,
      work_date: addDays(row.work_date, apart),
    }))
  return planMany(context, rules, change_id, shifts, dry_run)
}

async function removedPeople(db: Db): Promise<Set<number>> {
  const rows = await db.selectFrom('users').select('id').where('removed_at', 'is not', null).execute()
  return new Set(rows.map(row => row.id))
}

export async function shiftsOfWeek(db: Db, monday: string): Promise<NewShift[]> {
  const rows = await db
    .selectFrom('schedule_entries')
    .select(['user_id', 'work_date', 'start_local', 'end_local', 'break_s', 'station', 'skill'])
    .where('kind', '=', 'shift')
    .where('state', '<>', 'removed')
    .where('leave_id', 'is', null)
    .where('work_date', '>=', monday)
    .where('work_date', '<=', addDays(monday, 6))
    .orderBy('work_date')
    .orderBy('start_at')
    .orderBy('id')
    .limit(mostChanges)
    .execute()
  return rows.flatMap(row =>
    row.start_local === null || row.end_local === null ? [] : [{ ...row, start_local: row.start_local, end_local: row.end_local }],
  )
}

/** Makes the plan what staff see. Each person who is concerned gets one event, from which one message is made. */
export async function publishShifts(
  context: Context,
  rules: Rules,
  { from, to, user_ids, reason }: { from: string; to: string; user_ids: number[] | null; reason: string },
): Promise<{ published: number; people: number }> {
  const { db, recordEvents, notify } = context
  await planInLine(context)
  const rows = await db
    .selectFrom('schedule_entries')
    .select(['id', 'user_id', 'published_user_id', 'work_date', 'state'])
    .where('kind', '=', 'shift')
    .where('unpublished', '=', true)
    .where(eb =>
      eb.or([
        eb.and([eb('work_date', '>=', from), eb('work_date', '<=', to)]),
        eb.and([eb('published_date', '>=', from), eb('published_date', '<=', to)]),
      ]),
    )
    .execute()
  const chosen = rows.filter(
    row =>
      user_ids === null ||
      (row.user_id !== null && user_ids.includes(row.user_id)) ||
      (row.published_user_id !== null && user_ids.includes(row.published_user_id)),
  )
  if (chosen.length === 0) return { published: 0, people: 0 }
  await mayPublish(db, rules, chosen, { from, to, reason })
  await showToStaff(
    db,
    chosen.map(row => row.id),
  )
  const people = [...new Set(chosen.flatMap(row => [row.user_id, row.published_user_id].filter(id => id !== null)))]
  await recordEvents(
    people.map(user_id => ({
      kind: 'shift.published',
      subject: 'user',
      subject_id: user_id,
      data: { from, to, ...(reason && { reason }) },
    })),
  )
  notify('schedule')
  return { published: chosen.length, people: people.length }
}

async function mayPublish(
  db: Db,
  rules: Rules,
  chosen: readonly { id: number; user_id: number | null; work_date: string; state: string }[],
  { from, to, reason }: { from: string; to: string; reason: string },
): Promise<void> {
  const live = chosen.filter(row => row.state !== 'removed' && row.user_id !== null)
  if (live.length === 0) return
  const days = [from, to, ...live.map(row => row.work_date)].sort()
  const [first = from, last = to] = [days[0], days.at(-1)]
  const ids = new Set(live.map(row => row.id))
  const people = [...new Set(live.flatMap(row => (row.user_id === null ? [] : [row.user_id])))]
  const warnings = (await warningsOf(db, rules, people, first, last)).filter(
    // The average is about all shifts, and stands at the last one.
    one => one.rule === 'average' || ids.has(one.entry_id),
  )
  const refused = warnings.find(one => one.refused)
  if (refused)
    throw conflict('young_worker', '{{name}} is under 18: the shift on {{day}} breaks the rules for minors.', {
      name: await nameOf(db, refused.user_id),
      day: refused.day,
    })
  if (warnings.length > 0 && reason === '')
    throw conflict('rules_broken', '{{count}} working-time warnings. Publish with a reason.', { count: warnings.length })
}

/** Staff see these shifts as they are planned now; those that were removed are gone for them. */
export async function showToStaff(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update schedule_entries set unpublished = false, version = version + 1,
      state = case when state = 'removed' then state else 'published' end,
      published_user_id = case when state = 'removed' then null else user_id end,
      published_date = case when state = 'removed' then null else work_date end,
      published_start_at = case when state = 'removed' then null else start_at end,
      published_end_at = case when state = 'removed' then null else end_at end,
      published_break_s = case when state = 'removed' then null else break_s end,
      published_station = case when state = 'removed' then null else station end
    where operator_id = current_operator_id() and company_id = current_company_id() and id = any (${ids}::bigint[])`.execute(db)
}

/** Columns that change without the plan. */
const stamps = ['version', 'changed_by', 'changed_at']

/**
 * Takes a change back, or makes one again that was taken back. Entries that it made are removed and return; the others get what they had on the
 * other side of the change. The entries must stand as the change, or its undo, left them: else somebody has changed them since.
 * What staff see stays until the next publication.
 */
async function takeStep(context: Context, change_id: string, step: 'undo' | 'redo'): Promise<ScheduleEntry[]> {
  const { db, principal, now } = context
  const undoes = step === 'undo'
  const unmade = [...stamps, 'state', 'unpublished']
  await planInLine(context)
  const rows = await db
    .selectFrom('schedule_changes as c')
    .innerJoin('schedule_entries as e', 'e.id', 'c.entry_id')
    .select(['c.entry_id', 'c.user_id', 'c.changed_at', 'c.undone_at', 'e.leave_id'])
    .select(
      sql<boolean>`case
        when ${undoes} then c.after - ${stamps}::text[] = to_jsonb(e) - ${stamps}::text[]
        when c.before is not null then to_jsonb(jsonb_populate_record(null::schedule_entries, c.before)) - ${stamps}::text[] = to_jsonb(e) - ${stamps}::text[]
        else e.state = 'removed' and c.after - ${unmade}::text[] = to_jsonb(e) - ${unmade}::text[] end`.as('unchanged'),
    )
    .where('c.change_id', '=', change_id)
    .execute()
  const gone = undoes
    ? conflict('undo_gone', 'There is nothing to undo any more.')
    : conflict('redo_gone', 'There is nothing to do again any more.')
  const [first] = rows
  if (!first || (first.undone_at === null) !== undoes) throw gone
  if (rows.some(row => row.user_id !== principal.id)) throw forbidden('undo_not_yours', 'You can undo your own changes only.')
  const at = undoes ? first.changed_at : (first.undone_at ?? first.changed_at)
  if (now().getTime() - Date.parse(at) > undoMinutes * 60_000 || rows.some(row => row.leave_id !== null)) throw gone
  if (rows.some(row => !row.unchanged)) throw conflict('undo_changed', 'These shifts were changed or published since. Change them by hand.')
  const done_at = now().toISOString()
  await sql`update schedule_entries e set user_id = r.user_id, work_date = r.work_date, start_local = r.start_local, end_local = r.end_local,
      start_at = r.start_at, end_at = r.end_at, break_s = r.break_s, station = r.station, skill = r.skill,
      state = case when ${undoes} and c.before is null then 'removed' else r.state end,
      unpublished = r.unpublished and not (${undoes} and c.before is null),
      version = e.version + 1, changed_by = ${principal.name}, changed_at = ${done_at}::timestamptz
    from schedule_changes c, jsonb_populate_record(null::schedule_entries, case when ${undoes} then coalesce(c.before, c.after) else c.after end) r
    where c.operator_id = current_operator_id() and c.change_id = ${change_id}::uuid
      and e.operator_id = c.operator_id and e.company_id = current_company_id() and e.id = c.entry_id`.execute(db)
  await db
    .updateTable('schedule_changes')
    .set({ undone_at: undoes ? done_at : null })
    .where('change_id', '=', change_id)
    .execute()
  // Shifts that came since may lie where one goes to.
  const entries = await entriesByIds(
    db,
    rows.map(row => row.entry_id),
  )
  for (const { id, user_id, work_date, start_at, end_at, start_local, end_local, state } of entries)
    if (state !== 'removed' && start_at && end_at && start_local && end_local)
      await mustBeFree(context, { user_id, work_date, start_at, end_at, start_local, end_local }, id)
  await changed(context, change_id, rows.length)
  return entries.filter(entry => entry.state !== 'removed')
}

export const undoChange = (context: Context, change_id: string) => takeStep(context, change_id, 'undo')
export const redoChange = (context: Context, change_id: string) => takeStep(context, change_id, 'redo')

/** Clients name the shifts of one of them; a shift without times cannot be. */
export function needTimes(start_local: string | undefined, end_local: string | undefined): { start_local: string; end_local: string } {
  if (start_local === undefined || end_local === undefined)
    throw unprocessable(
      'shift_times_missing',
      'Enter when the shift begins and ends',
      {},
      { fields: start_local === undefined ? { start_local: 'Enter when it begins' } : { end_local: 'Enter when it ends' } },
    )
  return { start_local, end_local }
}

export const warningsAfter = (db: Db, rules: Rules, entry: ScheduleEntry): Promise<ScheduleWarning[]> =>
  entry.kind !== 'shift' || entry.user_id === null
    ? Promise.resolve([])
    : warningsOf(db, rules, [entry.user_id], addDays(entry.work_date, -1), addDays(entry.work_date, 1))
