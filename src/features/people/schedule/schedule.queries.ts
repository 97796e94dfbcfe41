/** Reads shifts, leave and availability: as they are planned, and as staff see them. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { addDays, clockAt, daysBetween } from '#domain/local-time.ts'
import { isOneOf } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { ScheduleSettings } from '#features/company/companies/companies.schemas.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { type PublicHoliday, publicHolidays } from '#features/company/holidays/public-holidays.server.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { workingTimeCountries } from '../employees/employees.codes.ts'
import { isUnder18 } from '../employees/employees.rules.ts'
import { averageSumsOf } from './average.queries.ts'
import type { OwnRule } from './own-rules.rules.ts'
import { liveLeave, mostChanges, settledLeave } from './schedule.codes.ts'
import type { ScheduleEntry, ScheduleWarning, WorkingTimeRow } from './schedule.schemas.ts'
import { paidSeconds } from './shifts.rules.ts'
import { type AverageSums, checkAverage, checkNightAverage, checkWorkingTime, type Span } from './working-time.rules.ts'

/** What a company decided about its schedule, with its clock. */
export interface Rules {
  time_zone: string
  locale: string
  country: string
  settings: ScheduleSettings
  today: string
}

export async function rulesOf({ db, principal, now }: Pick<Context, 'db' | 'principal' | 'now'>): Promise<Rules> {
  const { time_zone, locale, sender, schedule } = await companySettings(db, principal.company.id)
  return { time_zone, locale, country: sender.country, settings: schedule, today: localDay(now(), time_zone) }
}

export const holidaysBetween = (db: Db, { country, settings, locale }: Rules, from: string, to: string): Promise<PublicHoliday[]> =>
  publicHolidays(db, { country, region: settings.region, locale, from, to })

const entries = (db: Db) =>
  db
    .selectFrom('schedule_entries as e')
    .leftJoin('schedule_notes as n', 'n.entry_id', 'e.id')
    .select([
      'e.id',
      'e.kind',
      'e.user_id',
      'e.work_date',
      'e.date_to',
      'e.start_local',
      'e.end_local',
      'e.start_at',
      'e.end_at',
      'e.break_s',
      'e.station',
      'e.skill',
      'e.reason_id',
      'e.part',
      'e.state',
      'e.unpublished',
      'e.decided_by',
      'e.decision',
      'e.own_decision',
      'e.replaces_id',
      'e.version',
      'n.note',
    ])

const published = (db: Db) =>
  entries(db)
    .select([
      'e.published_user_id',
      'e.published_date',
      'e.published_start_at',
      'e.published_end_at',
      'e.published_break_s',
      'e.published_station',
    ])
    .where('e.kind', '=', 'shift')
    .where('e.published_start_at', 'is not', null)

type PublishedRow = Awaited<ReturnType<ReturnType<typeof published>['executeTakeFirstOrThrow']>>

/** A shift as staff see it: the plan since then is the lead's. */
function asStaffSee(row: PublishedRow, zone: string): ScheduleEntry {
  const { published_user_id, published_date, published_start_at, published_end_at, published_break_s, published_station, ...entry } = row
  return {
    ...entry,
    user_id: published_user_id,
    work_date: published_date ?? entry.work_date,
    start_at: published_start_at,
    end_at: published_end_at,
    start_local: published_start_at && clockAt(Date.parse(published_start_at), zone),
    end_local: published_end_at && clockAt(Date.parse(published_end_at), zone),
    break_s: published_break_s ?? 0,
    station: published_station,
    state: 'published',
    unpublished: false,
    note: null,
  }
}

export async function entryById(db: Db, id: number): Promise<ScheduleEntry> {
  return orNotFound(await entries(db).where('e.id', '=', id).executeTakeFirst(), 'shift_not_found', 'This entry is not there any more.')
}

export const entriesByIds = (db: Db, ids: readonly number[]): Promise<ScheduleEntry[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : entries(db)
        .where('e.id', 'in', [...ids])
        .orderBy('e.work_date')
        .orderBy('e.id')
        .execute()

export const entryOfClient = (db: Db, client_id: string): Promise<ScheduleEntry | undefined> =>
  entries(db).where('e.client_id', '=', client_id).executeTakeFirst()

/** As the index of entries that last has it. */
const lastDay = sql<string>`greatest(e.work_date, e.date_to)`

/** The plan between two days: shifts that are not removed, live leave, availability. */
export function plannedBetween(
  db: Db,
  { from, to, user_id, station }: { from: string; to: string; user_id?: number | undefined; station?: string | undefined },
): Promise<ScheduleEntry[]> {
  return entries(db)
    .where(eb =>
      eb.or([
        eb.and([eb('e.kind', '=', 'shift'), eb('e.state', '<>', 'removed'), eb('e.work_date', '>=', from), eb('e.work_date', '<=', to)]),
        eb.and([eb('e.kind', '=', 'leave'), eb('e.state', 'in', [...liveLeave]), eb('e.work_date', '<=', to), eb(lastDay, '>=', from)]),
        eb.and([
          eb('e.kind', '=', 'availability'),
          eb('e.state', 'in', ['available', 'unavailable']),
          eb('e.work_date', '<=', to),
          eb(lastDay, '>=', from),
        ]),
      ]),
    )
    .$if(user_id !== undefined, rows => rows.where('e.user_id', '=', user_id ?? 0))
    .$if(station !== undefined, rows => rows.where(eb => eb.or([eb('e.kind', '<>', 'shift'), eb('e.station', '=', station ?? '')])))
    .orderBy('e.work_date')
    .orderBy('e.start_at')
    .orderBy('e.id')
    .limit(20_000)
    .execute()
}

/** Published shifts between two days, of one person or of all: what staff see, and what hours are compared with. */
export async function publishedShifts(
  db: Db,
  { from, to, user_id }: { from: string; to: string; user_id?: number | undefined },
  zone: string,
): Promise<ScheduleEntry[]> {
  const rows = await published(db)
    .where('e.published_date', '>=', from)
    .where('e.published_date', '<=', to)
    .where('e.published_user_id', 'is not', null)
    .$if(user_id !== undefined, shifts => shifts.where('e.published_user_id', '=', user_id ?? 0))
    .orderBy('e.published_start_at')
    .orderBy('e.id')
    .execute()
  return rows.map(row => asStaffSee(row, zone))
}

/** Published shifts without a person, from a day on, which these skills are enough for. */
export async function openShifts(db: Db, from: string, skills: readonly string[], zone: string): Promise<ScheduleEntry[]> {
  const rows = await published(db)
    .where('e.published_user_id', 'is', null)
    .where('e.user_id', 'is', null)
    .where('e.state', '=', 'published')
    .where('e.published_date', '>=', from)
    .orderBy('e.published_start_at')
    .limit(200)
    .execute()
  return rows.filter(row => row.skill === null || skills.includes(row.skill)).map(row => asStaffSee(row, zone))
}

/** Leave of one person or of all that touches the days, in any state that lives. */
export const leaveBetween = (
  db: Db,
  { from, to, user_id, settled }: { from: string; to: string; user_id?: number | undefined; settled?: true },
): Promise<ScheduleEntry[]> =>
  entries(db)
    .where('e.kind', '=', 'leave')
    .where('e.state', 'in', settled ? [...settledLeave] : [...liveLeave])
    .where('e.work_date', '<=', to)
    .where(lastDay, '>=', from)
    .$if(user_id !== undefined, rows => rows.where('e.user_id', '=', user_id ?? 0))
    .orderBy('e.work_date')
    .orderBy('e.id')
    .execute()

/** All leave of a person from a day on, also what was rejected or withdrawn. */
export const ownLeave = (db: Db, user_id: number, from: string): Promise<ScheduleEntry[]> =>
  entries(db)
    .where('e.kind', '=', 'leave')
    .where('e.user_id', '=', user_id)
    .where('e.date_to', '>=', from)
    .orderBy('e.work_date', 'desc')
    .limit(200)
    .execute()

export const ownAvailability = (db: Db, user_id: number, from: string): Promise<ScheduleEntry[]> =>
  entries(db)
    .where('e.kind', '=', 'availability')
    .where('e.state', 'in', ['available', 'unavailable'])
    .where('e.user_id', '=', user_id)
    .where(eb => eb(eb.fn.coalesce('e.date_to', 'e.work_date'), '>=', from))
    .orderBy('e.work_date')
    .limit(200)
    .execute()

/** The plan of people as spans of work, for the rules of working time. */
export async function spansOf(db: Db, user_ids: readonly number[], from: string, to: string): Promise<Map<number, Span[]>> {
  if (user_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('schedule_entries')
    .select(['id', 'user_id', 'start_at', 'end_at', 'break_s'])
    .where('kind', '=', 'shift')
    .where('state', '<>', 'removed')
    .where('user_id', 'in', [...user_ids])
    .where('work_date', '>=', from)
    .where('work_date', '<=', to)
    .execute()
  const spans = new Map<number, Span[]>(user_ids.map(id => [id, []]))
  for (const { id, user_id, start_at, end_at, break_s } of rows)
    if (user_id !== null && start_at !== null && end_at !== null)
      spans.get(user_id)?.push({ id, start: Date.parse(start_at), end: Date.parse(end_at), break_s })
  return spans
}

export const workingTimeRows = (db: Db): Promise<WorkingTimeRow[]> =>
  db
    .selectFrom('working_time_rules')
    .select(['id', 'country', 'rule', 'valid_from', 'minutes', 'reason', 'version'])
    .orderBy('country')
    .orderBy('rule')
    .orderBy('valid_from')
    .limit(1_000)
    .execute()

/** The company's own rules by the country whose law they stand beside. */
export const ownRulesByCountry = async (db: Db): Promise<Map<string, WorkingTimeRow[]>> =>
  Map.groupBy(await workingTimeRows(db), row => row.country)

export interface PlannedPerson {
  user_id: number
  name: string
  has_image: boolean
  skills: string[]
  weekly_s: number | null
  days_per_week: number
  birth_date: string | null
  employed_from: string | null
  employed_to: string | null
  country: (typeof workingTimeCountries)[number]
  compulsory_school: boolean
  average_opt_out_from: string | null
  average_opt_out_to: string | null
  group_ids: number[]
}

/** People of the company that are planned, by name. */
export async function plannedPeople(db: Db, rules: Rules, user_ids?: readonly number[]): Promise<PlannedPerson[]> {
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('employees as p', 'p.user_id', 'u.id')
    .select(['u.id as user_id', 'u.name', 'u.skills'])
    .select(['p.weekly_s', 'p.days_per_week', 'p.birth_date', 'p.employed_from', 'p.employed_to', 'p.country', 'p.compulsory_school'])
    .select(['p.average_opt_out_from', 'p.average_opt_out_to'])
    .select(eb => eb('u.image_file_id', 'is not', null).as('has_image'))
    .select(
      sql<
        number[]
      >`coalesce((select array_agg(m.group_id) from user_group_members m join user_groups g on g.operator_id = m.operator_id and g.id = m.group_id
        where m.operator_id = u.operator_id and m.user_id = u.id and g.removed_at is null), '{}')`.as('group_ids'),
    )
    .where('u.kind', '=', 'person')
    .where('u.removed_at', 'is', null)
    .$if(user_ids !== undefined, people => people.where('u.id', 'in', user_ids?.length ? [...user_ids] : [0]))
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(1_000)
    .execute()
  const home = isOneOf(workingTimeCountries, rules.country) ? rules.country : 'DK'
  return rows.map(row => ({
    ...row,
    has_image: !!row.has_image,
    days_per_week: row.days_per_week ?? 5,
    country: row.country ?? home,
    compulsory_school: row.compulsory_school ?? false,
  }))
}

/** Warnings of the plan of these people between two days. */
export async function warningsOf(db: Db, rules: Rules, user_ids: readonly number[], from: string, to: string): Promise<ScheduleWarning[]> {
  const people = await plannedPeople(db, rules, user_ids)
  const spans = await spansOf(db, user_ids, addDays(from, -9), addDays(to, 9))
  const own = await ownRulesByCountry(db)
  const sums = await averageSumsOf(db, people, from, to, rules.time_zone)
  return people.flatMap(person =>
    warningsOfPerson(
      person,
      own.get(person.country) ?? [],
      spans.get(person.user_id) ?? [],
      rules.time_zone,
      from,
      to,
      sums.get(person.user_id),
    ),
  )
}

function warningsOfPerson(
  person: PlannedPerson,
  own_rules: readonly OwnRule[],
  spans: readonly Span[],
  zone: string,
  from: string,
  to: string,
  sums: AverageSums | undefined,
): ScheduleWarning[] {
  const { country, compulsory_school } = person
  const ruled = { country, zone, isMinor: (day: string) => isUnder18(person.birth_date, day), compulsory_school, own_rules }
  const averages = sums ? [...checkAverage(ruled, spans, sums, from, to), ...checkNightAverage(ruled, spans, sums, from, to)] : []
  return [...checkWorkingTime(ruled, spans, from, to), ...averages].map(warning => ({
    ...warning,
    user_id: person.user_id,
    since: warning.since === null ? null : new Date(warning.since).toISOString(),
  }))
}

/** Names of colleagues whose leave is settled or asked for on any of the days, by name. */
export async function colleaguesAway(db: Db, from: string, to: string, except: number): Promise<string[]> {
  const rows = await db
    .selectFrom('schedule_entries as e')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select('u.name')
    .distinct()
    .where('e.kind', '=', 'leave')
    .where('e.state', 'in', [...settledLeave])
    .where('e.work_date', '<=', to)
    .where('e.date_to', '>=', from)
    .where('e.user_id', '<>', except)
    .where('u.removed_at', 'is', null)
    .orderBy('u.name')
    .limit(50)
    .execute()
  return rows.map(row => row.name)
}

export const blockDates = (db: Db, from: string) =>
  db
    .selectFrom('block_dates')
    .select(['id', 'from_day', 'to_day', 'reason'])
    .where('to_day', '>=', from)
    .orderBy('from_day')
    .limit(500)
    .execute()

/** Why no holiday can be taken between two days; null where it can. */
export async function blockReason(db: Db, from: string, to: string): Promise<{ day: string; reason: string } | null> {
  const row = await db
    .selectFrom('block_dates')
    .select(['from_day', 'reason'])
    .where('from_day', '<=', to)
    .where('to_day', '>=', from)
    .orderBy('from_day')
    .limit(1)
    .executeTakeFirst()
  return row ? { day: row.from_day > from ? row.from_day : from, reason: row.reason } : null
}

/** The latest change of a person that can be undone, and the one that was taken back last, while nothing of theirs came after it. */
export async function latestSteps(db: Db, user_id: number, since: Date): Promise<{ undo: string | null; redo: string | null }> {
  const from = since.toISOString()
  const { rows } = await sql<{ undo: string | null; redo: string | null }>`
    with newest as (
      select id, change_id, changed_at, undone_at, after ->> 'leave_id' is null as by_plan from schedule_changes
      where operator_id = current_operator_id() and company_id = current_company_id() and user_id = ${user_id}
      order by id desc limit ${mostChanges}
    ), recent as (
      select change_id, min(id) id, max(changed_at) changed_at, max(undone_at) undone_at from newest
      where greatest(changed_at, undone_at) > ${from}::timestamptz group by change_id having bool_and(by_plan)
    )
    select (array_agg(change_id order by id desc) filter (where undone_at is null and changed_at > ${from}::timestamptz))[1] "undo",
      (array_agg(change_id order by undone_at desc, id) filter (where undone_at >= (select max(changed_at) from recent)))[1] "redo"
    from recent`.execute(db)
  return rows[0] ?? { undo: null, redo: null }
}

/** Stations that shifts are planned at or that pack. */
export async function knownStations(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('schedule_entries')
    .select('station')
    .distinct()
    .where('kind', '=', 'shift')
    .where('station', 'is not', null)
    .orderBy('station')
    .limit(100)
    .execute()
  return rows.flatMap(row => (row.station === null ? [] : [row.station]))
}

/** Days of a range on which a person is a minor. */
export const minorDays = (birth_date: string | null, from: string, to: string): string[] =>
  isUnder18(birth_date, from) ? daysBetween(from, to).filter(day => isUnder18(birth_date, day)) : []

export const plannedSeconds = (rows: readonly ScheduleEntry[]): number =>
  rows.reduce(
    (sum, { kind, start_at, end_at, break_s }) =>
      kind === 'shift' && start_at && end_at ? sum + paidSeconds({ start: Date.parse(start_at), end: Date.parse(end_at), break_s }) : sum,
    0,
  )
