/** Writing deadlines and days that differ. Open orders follow in the background. */
import { sql } from 'kysely'
import { conflict, unprocessable } from '#contract/errors.ts'
import { dayAt } from '#domain/local-time.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { knowsCalendar } from '#features/company/holidays/public-holidays.server.ts'
import { mustBeCourier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { deadlineWords, mostDeadlines } from './deadlines.codes.ts'
import { deadlineById, deadlineRow, methodOptions } from './deadlines.queries.ts'
import type { DayFields, Deadline, DeadlineDay, DeadlineFields } from './deadlines.schemas.ts'

/** Writers come one after the other. */
const lockMain = ({ db, principal }: Context) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()

/** Every open order is looked at again, once however many changes come together. */
export const followDeadlines = ({ enqueue, scope }: Context): Promise<void> =>
  enqueue('orders.deadlines', {}, { key: `orders.deadlines ${scope.operator_id}` })

const zoneOf = async ({ db, principal }: Context): Promise<string> => (await companySettings(db, principal.company.id)).time_zone

async function check({ db }: Context, fields: DeadlineFields, id: number | null): Promise<void> {
  for (const agent_code of fields.agent_codes) mustBeCourier(agent_code)
  if (fields.shipping_methods.length > 0) {
    const known = new Set((await methodOptions(db)).map(one => one.method))
    if (fields.shipping_methods.some(method => !known.has(method)))
      throw unprocessable('courier_method_not_found', deadlineWords.method, {}, { fields: { shipping_methods: deadlineWords.method } })
  }
  for (const company of fields.company_ids) {
    const known = await db.selectFrom('companies').select('id').where('id', '=', company).executeTakeFirst()
    if (!known) throw unprocessable('company_unknown', 'There is no company {{company}} here', { company })
  }
  if (fields.holidays !== null && !knowsCalendar(fields.holidays))
    throw unprocessable('holidays_unknown', deadlineWords.holidays, {}, { fields: { holidays: deadlineWords.holidays } })
  const twin = await db
    .selectFrom('deadlines')
    .select('id')
    .where(sql`lower(name)`, '=', fields.name.toLowerCase())
    .where('deleted_at', 'is', null)
    .where('id', 'is distinct from', id)
    .executeTakeFirst()
  if (twin) throw unprocessable('deadline_name_taken', deadlineWords.name, {}, { fields: { name: deadlineWords.name } })
}

async function changed(context: Context, id: number, kind: 'deadline.created' | 'deadline.changed'): Promise<Deadline> {
  const deadline = await deadlineById(context, id)
  await context.recordEvent({ kind, subject: 'deadline', subject_id: id, data: { name: deadline.name } })
  context.notify('deadline')
  await followDeadlines(context)
  return deadline
}

export async function createDeadline(context: Context, fields: DeadlineFields, client_id: string): Promise<Deadline> {
  const { db } = context
  await lockMain(context)
  const known = await db.selectFrom('deadlines').select('id').where('client_id', '=', client_id).executeTakeFirst()
  if (known) return deadlineById(context, known.id)
  await check(context, fields, null)
  const { n } = await db
    .selectFrom('deadlines')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(n) >= mostDeadlines)
    throw conflict('too_many_deadlines', 'There are {{count}} deadlines already. Remove one first.', { count: mostDeadlines })
  const { id } = await db
    .insertInto('deadlines')
    .values({ ...fields, client_id, time_zone: await zoneOf(context) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return changed(context, id, 'deadline.created')
}

export async function updateDeadline(context: Context, id: number, version: number, fields: DeadlineFields): Promise<Deadline> {
  await lockMain(context)
  const row = await deadlineRow(context.db, id)
  if (row.version !== version)
    throw conflict(
      'settings_changed',
      'Someone else changed this. Check the saved version.',
      {},
      { current: await deadlineById(context, id) },
    )
  await check(context, fields, id)
  await context.db
    .updateTable('deadlines')
    .set(eb => ({ ...fields, version: eb('version', '+', 1), updated_at: context.now().toISOString() }))
    .where('id', '=', id)
    .execute()
  return changed(context, id, 'deadline.changed')
}

/** What is gone already stays gone. */
export async function removeDeadline(context: Context, id: number): Promise<void> {
  const { db, recordEvent, notify, now } = context
  await lockMain(context)
  const removed = await db
    .updateTable('deadlines')
    .set({ deleted_at: now().toISOString() })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  if (!removed) return
  await db.deleteFrom('deadline_days').where('deadline_id', '=', id).execute()
  await recordEvent({ kind: 'deadline.deleted', subject: 'deadline', subject_id: id, data: { name: removed.name } })
  notify('deadline')
  await followDeadlines(context)
}

/** Takes a removal back, with what it was. Its days that differed are not kept. */
export async function restoreDeadline(context: Context, id: number, fields: DeadlineFields): Promise<Deadline> {
  await lockMain(context)
  await check(context, fields, id)
  await context.db
    .updateTable('deadlines')
    .set(eb => ({ ...fields, deleted_at: null, version: eb('version', '+', 1), updated_at: context.now().toISOString() }))
    .where('id', '=', id)
    .execute()
  return changed(context, id, 'deadline.changed')
}

const mostDaysAhead = 731

const ofDay = (db: Db, { deadline_id, day }: Pick<DeadlineDay, 'deadline_id' | 'day'>) =>
  db.deleteFrom('deadline_days').where('day', '=', day).where('deadline_id', 'is not distinct from', deadline_id)

async function mustBeAhead(context: Context, day: string): Promise<void> {
  const now = context.now().getTime()
  const zone = await zoneOf(context)
  if (day < dayAt(now, zone)) throw unprocessable('day_passed', deadlineWords.passed, {}, { fields: { day: deadlineWords.passed } })
  if (day > dayAt(now + mostDaysAhead * 86_400_000, zone))
    throw unprocessable('day_far', deadlineWords.far, {}, { fields: { day: deadlineWords.far } })
}

export async function setDay(context: Context, fields: DayFields): Promise<DeadlineDay> {
  const { db, recordEvent, notify } = context
  await lockMain(context)
  await mustBeAhead(context, fields.day)
  if (fields.deadline_id !== null) await deadlineRow(db, fields.deadline_id)
  if (fields.open && fields.cut_off !== null && fields.pickup_time !== null && fields.cut_off > fields.pickup_time)
    throw unprocessable('cut_off_after_pickup', deadlineWords.cutOff, {}, { fields: { cut_off: deadlineWords.cutOff } })
  const times = fields.open ? {} : { cut_off: null, pickup_time: null }
  await ofDay(db, fields).execute()
  const row = await db
    .insertInto('deadline_days')
    .values({ ...fields, ...times })
    .returning(['deadline_id', 'day', 'open', 'cut_off', 'pickup_time', 'note'])
    .executeTakeFirstOrThrow()
  await recordEvent({
    kind: 'deadline.day_set',
    ...(fields.deadline_id !== null && { subject: 'deadline', subject_id: fields.deadline_id }),
    data: { day: fields.day, open: fields.open },
  })
  notify('deadline')
  await followDeadlines(context)
  return row
}

export async function removeDay(context: Context, key: Pick<DeadlineDay, 'deadline_id' | 'day'>): Promise<void> {
  const { db, recordEvent, notify } = context
  await lockMain(context)
  const removed = await ofDay(db, key).returning('day').executeTakeFirst()
  if (!removed) return
  await recordEvent({
    kind: 'deadline.day_removed',
    ...(key.deadline_id !== null && { subject: 'deadline', subject_id: key.deadline_id }),
    data: { day: key.day },
  })
  notify('deadline')
  await followDeadlines(context)
}

/** The main company's clock is that of all deadlines. */
export async function followClock(context: Context): Promise<void> {
  const time_zone = await zoneOf(context)
  await context.db.updateTable('deadlines').set({ time_zone }).where('time_zone', '<>', time_zone).execute()
}
