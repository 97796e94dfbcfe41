/** Kinds of shift and weeks that are planned again and again, days without holiday, and calendar links. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { addDays } from '#domain/local-time.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { NewShift, type ShiftTemplate, type Templates } from './schedule.schemas.ts'
import { planInLine, shiftsOfWeek } from './shifts.commands.ts'

const clockOf = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** A week by days after its Monday. */
const WeekShifts = z.array(NewShift.omit({ work_date: true }).extend({ day: z.number().int().min(0).max(6) }))

export async function allTemplates(db: Db): Promise<Templates> {
  const shifts = await db.selectFrom('shift_templates').selectAll().orderBy('start_minute').orderBy('name').limit(200).execute()
  const weeks = await db.selectFrom('week_templates').select(['id', 'name', 'shifts']).orderBy('name').limit(100).execute()
  return {
    shifts: shifts.map(({ id, name, start_minute, end_minute, break_s, station, skill }) => ({
      id,
      name,
      start_local: clockOf(start_minute),
      end_local: clockOf(end_minute),
      break_s,
      station,
      skill,
    })),
    weeks: weeks.map(({ id, name, shifts: planned }) => ({ id, name, shifts: WeekShifts.safeParse(planned).data?.length ?? 0 })),
  }
}

async function nameIsFree(db: Db, table: 'shift_templates' | 'week_templates', name: string): Promise<void> {
  const rows = await db.selectFrom(table).select('name').limit(300).execute()
  if (rows.some(row => row.name.toLowerCase() === name.toLowerCase()))
    throw conflict('template_name_taken', 'There is a template {{name}} already.', { name }, { fields: { name: 'This name is taken' } })
}

export async function addTemplate(
  context: Context,
  { start_local, end_local, ...template }: Omit<ShiftTemplate, 'id'>,
): Promise<Templates> {
  await planInLine(context)
  await nameIsFree(context.db, 'shift_templates', template.name)
  await context.db
    .insertInto('shift_templates')
    .values({ ...template, start_minute: minuteOf(start_local), end_minute: minuteOf(end_local) })
    .execute()
  context.notify('schedule')
  return allTemplates(context.db)
}

export async function removeTemplate({ db, notify }: Context, id: number): Promise<Templates> {
  const { numDeletedRows } = await db.deleteFrom('shift_templates').where('id', '=', id).executeTakeFirst()
  orNotFound(numDeletedRows > 0n || null, 'shift_template_not_found', 'There is no such template.')
  notify('schedule')
  return allTemplates(db)
}

export async function saveWeek(context: Context, name: string, monday: string): Promise<Templates> {
  const { db, notify } = context
  await planInLine(context)
  await nameIsFree(db, 'week_templates', name)
  const shifts = (await shiftsOfWeek(db, monday)).map(({ work_date, ...shift }) => ({
    ...shift,
    day: (Date.parse(work_date) - Date.parse(monday)) / 86_400_000,
  }))
  if (shifts.length === 0) throw unprocessable('week_empty', 'This week has no shifts')
  if (shifts.length > 1_000) throw unprocessable('week_full', 'A week template holds at most {{count}} shifts', { count: 1_000 })
  await db
    .insertInto('week_templates')
    .values({ name, shifts: JSON.stringify(shifts) })
    .execute()
  notify('schedule')
  return allTemplates(db)
}

/** The shifts of a kept week, in the week of this Monday. */
export async function weekShifts(db: Db, id: number, monday: string): Promise<NewShift[]> {
  const row = orNotFound(
    await db.selectFrom('week_templates').select('shifts').where('id', '=', id).executeTakeFirst(),
    'shift_template_not_found',
    'There is no such template.',
  )
  const people = new Set((await db.selectFrom('users').select('id').where('removed_at', 'is', null).execute()).map(one => one.id))
  return WeekShifts.parse(row.shifts).map(({ day, user_id, ...shift }) => ({
    ...shift,
    user_id: user_id !== null && people.has(user_id) ? user_id : null,
    work_date: addDays(monday, day),
  }))
}

export async function removeWeek({ db, notify }: Context, id: number): Promise<Templates> {
  const { numDeletedRows } = await db.deleteFrom('week_templates').where('id', '=', id).executeTakeFirst()
  orNotFound(numDeletedRows > 0n || null, 'shift_template_not_found', 'There is no such template.')
  notify('schedule')
  return allTemplates(db)
}

export async function addBlock({ db, notify }: Context, block: { from_day: string; to_day: string; reason: string }): Promise<void> {
  if (block.to_day < block.from_day)
    throw unprocessable(
      'leave_dates',
      'The last day lies before the first',
      {},
      { fields: { to_day: 'The last day lies before the first' } },
    )
  await db.insertInto('block_dates').values(block).execute()
  notify('schedule')
}

export async function removeBlock({ db, notify }: Context, id: number): Promise<void> {
  await db.deleteFrom('block_dates').where('id', '=', id).execute()
  notify('schedule')
}

/** Makes a new secret address instead of the earlier one; only its hash is kept. */
export async function makeCalendarToken({ db, principal, now, recordEvent }: Context): Promise<string> {
  const token = randomBytes(16).toString('base64url')
  await revokeCalendar(db, principal.id, now())
  await db
    .insertInto('calendar_links')
    .values({ user_id: principal.id, token_hash: hashToken(token), created_at: now().toISOString() })
    .execute()
  await recordEvent({ kind: 'calendar.link_made', subject: 'user', subject_id: principal.id })
  return token
}

export async function revokeCalendar(db: Db, user_id: number, at: Date): Promise<void> {
  await db
    .updateTable('calendar_links')
    .set({ revoked_at: at.toISOString() })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .execute()
}
