/** Raises and ends alarms of pickups, says who looks after them, and queues their mails. */
import { sql } from 'kysely'
import * as z from 'zod'
import { conflict, orNotFound } from '#contract/errors.ts'
import { boundsOfDay } from '#domain/local-days.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { alarmStep, digestHour, isMailed, isQuiet, missedFor, stageAt } from './alarm.rules.ts'
import { alarmSettings, missedPickups } from './deadline-alarms.queries.ts'
import type { Alarm } from './deadline-board.codes.ts'
import { AlarmSettings, type Board, type BoardRow } from './deadline-board.schemas.ts'

/** Looks further apart than this are not in a row. */
const inARow = 6 * 60_000

/** What follows from a look at the board: which stages are reached, which alarms end, and who is mailed. */
export async function raiseAlarms(context: Context, { rows, server_time, time_zone }: Board): Promise<void> {
  const { db, scope } = context
  const now = Date.parse(server_time)
  const clock = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(time_zone)
  const settings = await alarmSettings(db, scope.company_id)
  const quiet = isQuiet(clock.toPlainTime().toString({ smallestUnit: 'minute' }), settings.quiet_from, settings.quiet_until)
  const before = await earlierLooks(context, rows, now)
  for (const row of rows) {
    if (row.missed_at !== null)
      await raise(context, row, { due_at: row.missed_at, stage: 'missed', missed: row.carried_over }, settings, quiet)
    else await endAlarms(context, row.deadline_id, new Date(now - missedFor).toISOString(), new Date(now).toISOString(), 'missed')
    if (row.due_at === null) continue
    const step = alarmStep(before.get(row.deadline_id), row.forecast_missed)
    const stage = stageAt(Date.parse(row.due_at) - now)
    if (step === 'rise' && stage !== null)
      await raise(context, row, { due_at: row.due_at, stage, missed: row.forecast_missed ?? 0 }, settings, quiet)
    else if (step === 'end') await endAlarms(context, row.deadline_id, row.due_at, row.due_at)
  }
  await mailMissed(context, clock, settings)
}

/** What was forecast to miss at the look before this one, by deadline. */
async function earlierLooks({ db }: Context, rows: readonly BoardRow[], now: number): Promise<Map<number, number | null>> {
  const some = rows.flatMap(({ deadline_id, due_at }) => (due_at === null ? [] : [{ deadline_id, due_at }]))
  if (some.length === 0) return new Map()
  const { rows: found } = await sql<{ deadline_id: number; missed: number | null }>`
    select d.id as deadline_id, p.missed from unnest(${some.map(one => one.deadline_id)}::bigint[], ${some.map(one => one.due_at)}::timestamptz[]) as d(id, due_at)
      cross join lateral (select p.missed from deadline_points p
        where p.operator_id = current_operator_id() and p.deadline_id = d.id and p.due_at = d.due_at
          and p.at < date_trunc('minute', ${new Date(now).toISOString()}::timestamptz) and p.at >= ${new Date(now - inARow).toISOString()}
        order by p.at desc limit 1) p`.execute(db)
  return new Map(found.map(row => [row.deadline_id, row.missed]))
}

async function raise(
  context: Context,
  { deadline_id }: BoardRow,
  { due_at, stage, missed }: { due_at: string; stage: Alarm; missed: number },
  { recipients, can_mail }: AlarmSettings,
  quiet: boolean,
): Promise<void> {
  const { db, now, recordEvent, recordEvents, notify } = context
  const mailed = can_mail && recipients.length > 0 && isMailed(stage, quiet)
  const at = now().toISOString()
  const made = await db
    .insertInto('deadline_alarms')
    .values({ deadline_id, due_at, stage, at, missed, mailed_at: mailed ? at : null })
    .onConflict(same => same.columns(['operator_id', 'deadline_id', 'due_at', 'stage']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) {
    // The same stage again: it goes on, without a second sound or mail.
    const again = await db
      .updateTable('deadline_alarms')
      .set({ ended_at: null })
      .where('deadline_id', '=', deadline_id)
      .where('due_at', '=', due_at)
      .where('stage', '=', stage)
      .where('ended_at', 'is not', null)
      .executeTakeFirstOrThrow()
    if (again.numUpdatedRows > 0n) notify('deadline')
    return
  }
  await recordEvent({ kind: 'deadline.alarm', subject: 'deadline', subject_id: deadline_id, data: { stage, due_at, missed } })
  if (mailed) await recordEvents(recipients.map((_, place) => mailDue(made.id, { alarm_id: made.id, day: '', place })))
  notify('deadline')
}

/** Of the recipient in the list of recipients: the event itself names no one. */
const mailDue = (id: number, data: { alarm_id: number | null; day: string; place: number }) =>
  ({ kind: 'deadline_alarm.mail_due', subject: 'deadline_alarm', subject_id: id, data }) as const

async function endAlarms({ db, now, notify }: Context, deadline_id: number, from: string, to: string, stage?: 'missed'): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('deadline_alarms')
    .set({ ended_at: now().toISOString() })
    .where('deadline_id', '=', deadline_id)
    .where('due_at', '>=', from)
    .where('due_at', '<=', to)
    .where('stage', stage ? '=' : '<>', 'missed')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) notify('deadline')
}

/** One mail for all pickups that were missed today, when the day ends. */
async function mailMissed(context: Context, clock: Temporal.ZonedDateTime, { recipients, can_mail }: AlarmSettings): Promise<void> {
  if (clock.hour < digestHour || !can_mail || recipients.length === 0) return
  const { db, now, recordEvents } = context
  const day = clock.toPlainDate().toString()
  const { from, to } = boundsOfDay(day, clock.timeZoneId)
  const [first] = (await missedPickups(db, from, to)).toReversed()
  if (!first) return
  const { numUpdatedRows } = await db
    .updateTable('deadline_alarms')
    .set({ mailed_at: now().toISOString() })
    .where('stage', '=', 'missed')
    .where('at', '>=', from)
    .where('at', '<', to)
    .where('mailed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await recordEvents(recipients.map((_, place) => mailDue(first.id, { alarm_id: null, day, place })))
}

/** A person looks after an alarm: the first one stands. */
export async function seeAlarm(
  { db, now, principal, recordEvent, notify }: Context,
  id: number,
): Promise<{ seen_at: string; seen_by: string }> {
  const row = orNotFound(
    await db
      .selectFrom('deadline_alarms')
      .select(['deadline_id', 'stage', 'seen_at', 'seen_by'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
    'alarm_not_found',
    'Alarm not found',
  )
  if (row.seen_at !== null && row.seen_by !== null) {
    const user = await db.selectFrom('users').select('name').where('id', '=', row.seen_by).executeTakeFirst()
    return { seen_at: new Date(row.seen_at).toISOString(), seen_by: user?.name ?? '' }
  }
  const seen_at = now().toISOString()
  await db.updateTable('deadline_alarms').set({ seen_at, seen_by: principal.id }).where('id', '=', id).execute()
  await recordEvent({ kind: 'deadline.alarm_seen', subject: 'deadline', subject_id: row.deadline_id, data: { stage: row.stage } })
  notify('deadline')
  return { seen_at, seen_by: principal.name }
}

type Fields = Pick<AlarmSettings, 'recipients' | 'quiet_from' | 'quiet_until' | 'sound'>

/** As the history of settings keeps them. */
const historyOf = ({ recipients, quiet_from, quiet_until, sound }: Fields) => ({
  recipients,
  quiet_hours: quiet_from === null || quiet_until === null ? null : [quiet_from, quiet_until],
  sound,
})
const Stored = z.object({
  recipients: AlarmSettings.shape.recipients,
  quiet_hours: z.tuple([z.string(), z.string()]).nullable(),
  sound: z.boolean(),
  version: z.number(),
})

export const alarmSettingsOwner: SettingOwner = {
  name: 'deadline_alarms',
  async read({ db, scope }) {
    await db.selectFrom('deadline_alarm_settings').select('version').where('company_id', '=', scope.company_id).forUpdate().execute()
    const settings = await alarmSettings(db, scope.company_id)
    return { ...historyOf(settings), version: settings.version }
  },
  async save(context, _place, values) {
    const read = Stored.safeParse(values)
    if (!read.success) throw notValid()
    const { quiet_hours, ...fields } = read.data
    return setAlarmSettings(context, { ...fields, quiet_from: quiet_hours?.[0] ?? null, quiet_until: quiet_hours?.[1] ?? null })
  },
}

export async function setAlarmSettings(context: Context, { version, ...fields }: Fields & { version: number }): Promise<AlarmSettings> {
  const { db, scope, recordEvent, notify } = context
  const before = await alarmSettings(db, scope.company_id)
  const stale = () => conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: before })
  if (before.version !== version) throw stale()
  const written =
    version === 0
      ? (
          await db
            .insertInto('deadline_alarm_settings')
            .values(fields)
            .onConflict(same => same.columns(['operator_id', 'company_id']).doNothing())
            .executeTakeFirstOrThrow()
        ).numInsertedOrUpdatedRows
      : (
          await db
            .updateTable('deadline_alarm_settings')
            .set({ ...fields, version: version + 1 })
            .where('company_id', '=', scope.company_id)
            .where('version', '=', version)
            .executeTakeFirstOrThrow()
        ).numUpdatedRows
  if (written === 0n) throw stale()
  await recordOwnedChanges(context, 'deadline_alarms', historyOf(before), historyOf(fields))
  await recordEvent({
    kind: 'deadline.alarms_set',
    subject: 'company',
    subject_id: scope.company_id,
    data: { recipients: fields.recipients.length, sound: fields.sound },
  })
  notify('deadline')
  return alarmSettings(db, scope.company_id)
}
