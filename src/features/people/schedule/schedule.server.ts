/** Handlers of the schedule, of leave and of calendar feeds. */

import { createHash } from 'node:crypto'
import { isAllowed } from '#contract/access.ts'
import { forbidden, notFound, orNotFound, tooMany, unprocessable } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { addDays, daysBetween, mondayOf } from '#domain/local-time.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { listGroups } from '#features/company/groups/groups.queries.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { averageSumsOf } from './average.queries.ts'
import { calendarOf } from './calendar.rules.ts'
import { forecastOn, pastWork } from './forecast.queries.ts'
import {
  adjustAccount,
  changeRequest,
  createAvailability,
  createLeave,
  decideLeave,
  endLeave,
  removeAvailability,
  setNote,
} from './leave.commands.ts'
import { leaveAccount, leaveFacts } from './leave.queries.ts'
import { releasePerson } from './leavers.commands.ts'
import { acceptOffer, makeOffer, refuseOffer, takeOffer, withdrawOffer } from './offers.commands.ts'
import { offersFor, offersToDecide } from './offers.queries.ts'
import { longestRange, undoMinutes } from './schedule.codes.ts'
import { schedule } from './schedule.contract.ts'
import {
  entryById,
  entryOfClient,
  holidaysBetween,
  knownStations,
  latestSteps,
  leaveBetween,
  minorDays,
  openShifts,
  ownAvailability,
  ownLeave,
  ownRulesByCountry,
  plannedBetween,
  plannedPeople,
  plannedSeconds,
  publishedShifts,
  type Rules,
  rulesOf,
  spansOf,
  warningsOf,
  workingTimeRows,
} from './schedule.queries.ts'
import { type ScheduleEntry, scheduleSchemas, type WaitingLeave } from './schedule.schemas.ts'
import { setSettings, settingsOf } from './schedule-settings.commands.ts'
import {
  copyWeek,
  createShift,
  needTimes,
  planMany,
  publishShifts,
  redoChange,
  removeShift,
  undoChange,
  updateShift,
  warningsAfter,
} from './shifts.commands.ts'
import {
  addBlock,
  addTemplate,
  allTemplates,
  makeCalendarToken,
  removeBlock,
  removeTemplate,
  removeWeek,
  revokeCalendar,
  saveWeek,
  weekShifts,
} from './templates.commands.ts'
import { removeWorkingTimeRule, setWorkingTimeRule } from './working-time.commands.ts'

const isPlanner = ({ principal }: Context): boolean => isAllowed(principal.permissions, ['schedule_admin'])

const forPlanners = () =>
  forbidden('permission_missing', 'You do not have permission for this. Ask an administrator.', { codes: 'schedule_admin' })

function mustBeRange(start: string, end: string, days: number): void {
  if (end < start)
    throw unprocessable('leave_dates', 'The last day lies before the first', {}, { fields: { end: 'The last day lies before the first' } })
  if (Date.parse(end) - Date.parse(start) >= days * 86_400_000)
    throw unprocessable('range_too_long', 'Choose at most {{days}} days.', { days }, { fields: { end: 'Choose fewer days' } })
}

/** Staff see entries of their own; of everything else they may not even learn that it is there. */
async function visible(context: Context, id: number): Promise<ScheduleEntry> {
  const entry = await entryById(context.db, id)
  if (!isPlanner(context) && (entry.kind === 'shift' || entry.user_id !== context.principal.id))
    throw notFound('shift_not_found', 'This entry is not there any more.')
  return entry
}

async function answer(context: Context, rules: Rules, id: number, freed_shift_ids: number[] = []) {
  const entry = await entryById(context.db, id)
  return { entry, warnings: await warningsAfter(context.db, rules, entry), freed_shift_ids }
}

/** How often a calendar is read in an hour: programs ask every hour. */
const mostReadings = 30

export const scheduleServer = implement(
  schedule,
  scheduleSchemas,
  {
    async create({ body }, context) {
      const rules = await rulesOf(context)
      const known = await entryOfClient(context.db, body.client_id)
      if (known) return answer(context, rules, known.id)
      const user_id = body.user_id === undefined ? context.principal.id : body.user_id
      if (!isPlanner(context) && (body.kind === 'shift' || user_id !== context.principal.id)) throw forPlanners()
      if (body.kind === 'shift') {
        const { work_date, break_s, station, skill } = body
        const times = needTimes(body.start_local, body.end_local)
        const id = await createShift(context, rules, { user_id, work_date, ...times, break_s, station, skill }, body.client_id)
        if (body.note) await setNote(context, id, body.note)
        return answer(context, rules, id)
      }
      if (user_id === null) throw unprocessable('person_missing', 'Choose a person', {}, { fields: { user_id: 'Choose a person' } })
      const create = body.kind === 'leave' ? createLeave : createAvailability
      return answer(context, rules, await create(context, rules, user_id, body))
    },

    async update({ id, body }, context) {
      const rules = await rulesOf(context)
      const entry = await visible(context, id)
      if (entry.kind === 'shift') {
        const { version, user_id, work_date, start_local, end_local, break_s, station, skill, note, change_id } = body
        await updateShift(context, rules, id, {
          version,
          change_id,
          ...(user_id !== undefined && { user_id }),
          ...(work_date !== undefined && { work_date }),
          ...(start_local !== undefined && { start_local }),
          ...(end_local !== undefined && { end_local }),
          ...(break_s !== undefined && { break_s }),
          ...(station !== undefined && { station }),
          ...(skill !== undefined && { skill }),
        })
        if (note !== undefined) await setNote(context, id, note)
        return answer(context, rules, id)
      }
      if (body.state !== undefined) {
        if (!isPlanner(context)) throw forPlanners()
        return answer(context, rules, id, await decideLeave(context, rules, entry, body))
      }
      await changeRequest(context, entry, body)
      return answer(context, rules, id)
    },

    async remove({ id, reason, change_id }, context) {
      const rules = await rulesOf(context)
      const entry = await visible(context, id)
      if (entry.kind === 'shift') return { entry: await removeShift(context, id, change_id) }
      if (entry.kind === 'availability') await removeAvailability(context, entry)
      else await endLeave(context, rules, entry, { reason })
      return { entry: await entryById(context.db, id) }
    },

    async reject({ id, body }, context) {
      const rules = await rulesOf(context)
      const entry = await visible(context, id)
      if (entry.kind !== 'leave') throw notFound('shift_not_found', 'This entry is not there any more.')
      await endLeave(context, rules, entry, body)
      return answer(context, rules, id)
    },

    async list({ user_id, start, end, station }, context) {
      const { db, principal } = context
      const rules = await rulesOf(context)
      const own = user_id === principal.id
      mustBeRange(start, end, own ? longestRange.own : longestRange.others)
      const public_holidays = await holidaysBetween(db, rules, start, end)
      if (!isPlanner(context)) {
        if (!own) throw forPlanners()
        const shifts = await publishedShifts(db, { from: start, to: end, user_id }, rules.time_zone)
        const leave = await leaveBetween(db, { from: start, to: end, user_id })
        return { entries: [...shifts, ...leave], public_holidays, warnings: [], planned_s: plannedSeconds(shifts) }
      }
      const entries = await plannedBetween(db, { from: start, to: end, user_id: user_id || undefined, station })
      const people = [...new Set(entries.flatMap(one => (one.kind === 'shift' && one.user_id !== null ? [one.user_id] : [])))]
      return { entries, public_holidays, warnings: await warningsOf(db, rules, people, start, end), planned_s: plannedSeconds(entries) }
    },

    async future({ limit }, context) {
      const { db, principal } = context
      const rules = await rulesOf(context)
      const { skills } = await db.selectFrom('users').select('skills').where('id', '=', principal.id).executeTakeFirstOrThrow()
      const to = addDays(rules.today, 120)
      const monday = mondayOf(rules.today)
      const shifts = await publishedShifts(db, { from: monday, to, user_id: principal.id }, rules.time_zone)
      return {
        shifts: shifts.filter(shift => shift.work_date >= rules.today).slice(0, limit),
        leave: await ownLeave(db, principal.id, addDays(rules.today, -30)),
        availability: await ownAvailability(db, principal.id, rules.today),
        open: await openShifts(db, rules.today, skills, rules.time_zone),
        offers: await offersFor(db, principal.id, rules.today),
        public_holidays: await holidaysBetween(db, rules, rules.today, to),
        week_s: plannedSeconds(shifts.filter(shift => shift.work_date <= addDays(monday, 6))),
      }
    },

    async waiting({ page, limit }, context) {
      const { db, principal } = context
      const rules = await rulesOf(context)
      const rows = await db
        .selectFrom('schedule_entries as e')
        .innerJoin('users as u', 'u.id', 'e.user_id')
        .select(['e.id', 'u.name'])
        .where('e.kind', '=', 'leave')
        .where('e.state', 'in', ['requested', 'cancel_requested', 'registered'])
        .where('u.removed_at', 'is', null)
        .orderBy('e.work_date')
        .orderBy('e.id')
        .limit(2_000)
        .execute()
      const offset = pageOffset({ page, limit })
      const past = await pastWork(context, rules)
      const shown: WaitingLeave[] = []
      for (const { id, name } of rows.slice(offset, offset + limit)) {
        const entry = await entryById(db, id)
        const to = entry.date_to ?? entry.work_date
        const user_id = entry.user_id ?? 0
        const facts = await leaveFacts(db, rules, user_id, { reason_id: entry.reason_id, from: entry.work_date, to, part: entry.part })
        const shifts = (await plannedBetween(db, { from: entry.work_date, to, user_id })).filter(one => one.kind === 'shift')
        const forecast = entry.work_date >= rules.today ? forecastOn(entry.work_date, past) : null
        shown.push({
          entry,
          name,
          can_decide: user_id !== principal.id || rules.settings.sole_approver,
          cost_milli: facts.cost_milli,
          // What waits to be cancelled was taken from the account already.
          balance_after_milli:
            facts.left_milli === null
              ? null
              : facts.left_milli + (entry.state === 'cancel_requested' ? facts.cost_milli : -facts.cost_milli),
          away: facts.away,
          forecast,
          shifts,
          blocked: facts.blocked,
        })
      }
      return { rows: shown, total: rows.length, total_is_more: false, offset, limit, offers: await offersToDecide(db) }
    },

    async board({ start, end }, context) {
      const { db, principal, now } = context
      const rules = await rulesOf(context)
      mustBeRange(start, end, longestRange.others)
      const people = await plannedPeople(db, rules)
      const ids = people.map(person => person.user_id)
      const entries = await plannedBetween(db, { from: start, to: end })
      const spans = await spansOf(db, ids, addDays(start, -9), addDays(end, 9))
      const shown = new Set(entries.map(entry => entry.id))
      const sums = await averageSumsOf(db, people, start, end, rules.time_zone)
      const unpublished = await db
        .selectFrom('schedule_entries')
        .select(eb => eb.fn.countAll<number>().as('count'))
        .where('kind', '=', 'shift')
        .where('unpublished', '=', true)
        .where('work_date', '>=', start)
        .where('work_date', '<=', end)
        .executeTakeFirstOrThrow()
      const past = await pastWork(context, rules)
      const own = await ownRulesByCountry(db)
      const used = new Set(people.flatMap(person => person.group_ids))
      return {
        groups: (await listGroups(db, principal.company.id, '', true))
          .filter(one => used.has(one.group_id))
          .map(({ group_id, group_name }) => ({ group_id, group_name })),
        people: people.map(person => {
          const { user_id, name, has_image, group_ids, skills, weekly_s, country, compulsory_school } = person
          return {
            user_id,
            name,
            has_image,
            group_ids,
            skills,
            weekly_s,
            country,
            compulsory_school,
            own_rules: (own.get(country) ?? []).map(({ rule, valid_from, minutes }) => ({ rule, valid_from, minutes })),
            minor_days: minorDays(person.birth_date, start, end),
            around: (spans.get(user_id) ?? []).filter(span => !shown.has(span.id)),
            average: sums.get(user_id) ?? { worked_s: 0, neutral_days: 0, days: 0, opted_out: false, night: null },
          }
        }),
        entries,
        public_holidays: await holidaysBetween(db, rules, start, end),
        forecast: daysBetween(start, end).map(day => forecastOn(day, past)),
        unpublished: unpublished.count,
        ...(await latestSteps(db, principal.id, new Date(now().getTime() - undoMinutes * 60_000))),
        time_zone: rules.time_zone,
        stations: await knownStations(db),
      }
    },

    async change({ body }, context) {
      return planMany(context, await rulesOf(context), body.change_id, body.shifts)
    },
    async copyWeek({ body }, context) {
      return copyWeek(context, await rulesOf(context), body)
    },
    async publish({ body }, context) {
      mustBeRange(body.from, body.to, longestRange.others)
      return publishShifts(context, await rulesOf(context), body)
    },
    undo: async ({ change_id }, context) => ({ entries: await undoChange(context, change_id) }),
    redo: async ({ change_id }, context) => ({ entries: await redoChange(context, change_id) }),

    settings: (_, context) => settingsOf(context),
    setSettings: ({ body }, context) => setSettings(context, body),

    workingTimeRules: (_, { db }) => workingTimeRows(db),
    setWorkingTimeRule: ({ body }, context) => setWorkingTimeRule(context, body),
    removeWorkingTimeRule: ({ id, version }, context) => removeWorkingTimeRule(context, id, version),

    templates: (_, { db }) => allTemplates(db),
    addTemplate: ({ body }, context) => addTemplate(context, body),
    removeTemplate: ({ id }, context) => removeTemplate(context, id),
    saveWeek: ({ body }, context) => saveWeek(context, body.name, body.monday),
    async applyWeek({ id, body }, context) {
      return planMany(context, await rulesOf(context), body.change_id, await weekShifts(context.db, id, body.monday))
    },
    removeWeek: ({ id }, context) => removeWeek(context, id),
    async addBlock({ body }, context) {
      await addBlock(context, body)
      return settingsOf(context)
    },
    async removeBlock({ id }, context) {
      await removeBlock(context, id)
      return settingsOf(context)
    },

    async offer({ body }, context) {
      return makeOffer(context, await rulesOf(context), body)
    },
    takeOffer: ({ id }, context) => takeOffer(context, id),
    withdrawOffer: ({ id }, context) => withdrawOffer(context, id),
    acceptOffer: ({ id }, context) => acceptOffer(context, id),
    refuseOffer: ({ id, body }, context) => refuseOffer(context, id, body.reason),

    async colleagues({ id }, context) {
      const { db, principal } = context
      const rules = await rulesOf(context)
      const own = await entryById(db, id)
      if (own.user_id !== principal.id) throw notFound('shift_not_found', 'This entry is not there any more.')
      const from = addDays(own.work_date, -14) > rules.today ? addDays(own.work_date, -14) : addDays(rules.today, 1)
      const shifts = await publishedShifts(db, { from, to: addDays(own.work_date, 14) }, rules.time_zone)
      const names = new Map((await plannedPeople(db, rules)).map(person => [person.user_id, person.name]))
      return shifts.flatMap(shift => {
        const name = shift.user_id === null || shift.user_id === principal.id ? undefined : names.get(shift.user_id)
        return name === undefined ? [] : [{ ...shift, name }]
      })
    },

    async account({ user_id }, context) {
      if (user_id !== context.principal.id && !isPlanner(context)) throw forPlanners()
      return leaveAccount(context.db, await rulesOf(context), user_id)
    },
    async adjustAccount({ user_id, body }, context) {
      const rules = await rulesOf(context)
      if (user_id === context.principal.id && !rules.settings.sole_approver)
        throw forbidden('own_decision', 'Someone else must decide about your own request.')
      await adjustAccount(context, user_id, body, rules.today)
      return leaveAccount(context.db, rules, user_id)
    },
    async leaveQuote({ user_id, ...leave }, context) {
      const { db, principal } = context
      const rules = await rulesOf(context)
      const id = user_id ?? principal.id
      if (id !== principal.id && !isPlanner(context)) throw forPlanners()
      mustBeRange(leave.from, leave.to, 367)
      const facts = await leaveFacts(db, rules, id, leave)
      const others = await leaveBetween(db, { from: leave.from, to: leave.to, user_id: id })
      return { ...facts, taken: others.some(one => one.part === 'full' || leave.part === 'full' || one.part === leave.part) }
    },

    async calendarLink(_, { db, principal }) {
      const row = await db
        .selectFrom('calendar_links')
        .select('created_at')
        .where('user_id', '=', principal.id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return { made_at: row?.created_at ?? null }
    },
    async makeCalendarLink(_, context) {
      const token = await makeCalendarToken(context)
      const { company } = context.principal
      return { url: `${publicUrl(context.services, company.code)}/api/${company.code}/schedule/calendar/${token}.ics` }
    },
    async revokeCalendarLink(_, { db, principal, now, recordEvent }) {
      await revokeCalendar(db, principal.id, now())
      await recordEvent({ kind: 'calendar.link_revoked', subject: 'user', subject_id: principal.id })
    },
    async calendar({ token }, { db, principal, now, services, setHeader }) {
      const token_hash = hashToken(token.replace(/\.ics$/, ''))
      const link = orNotFound(
        await db
          .selectFrom('calendar_links as l')
          .innerJoin('users as u', 'u.id', 'l.user_id')
          .select('l.user_id')
          .where('l.token_hash', '=', token_hash)
          .where('l.revoked_at', 'is', null)
          .where('u.removed_at', 'is', null)
          .executeTakeFirst(),
        'calendar_not_found',
        'There is no such calendar.',
      )
      const { current, ttl } = await services.limits.countCall(`calendar ${token_hash.toString('hex')}`, 3_600_000)
      if (current > mostReadings)
        throw tooMany('calendar_read_often', 'This calendar is read too often. Wait {{seconds}} s.', { seconds: Math.ceil(ttl / 1_000) })
      const { time_zone, locale } = await companySettings(db, principal.company.id)
      const today = localDay(now(), time_zone)
      const shifts = await publishedShifts(db, { from: addDays(today, -14), to: addDays(today, 90), user_id: link.user_id }, time_zone)
      const t = await translatorFor(locale)
      setHeader('cache-control', 'private, max-age=900')
      setHeader('x-robots-tag', 'noindex')
      const host = new URL(publicUrl(services, principal.company.code)).hostname
      const words = { host, word: t('Shift') }
      // The moment of the answer stands in each event, and changes nothing.
      const state = calendarOf(shifts, { ...words, made: new Date(0) })
      return {
        bytes: Buffer.from(calendarOf(shifts, { ...words, made: now() })),
        etag: `W/"${createHash('sha256').update(state).digest('base64url')}"`,
        media_type: 'text/calendar; charset=utf-8',
        name: 'shifts.ics',
        inline: true,
      }
    },
  },
  {
    'user.removed': async (events, context) => {
      for (const { subject_id } of events) if (typeof subject_id === 'number') await releasePerson(context, subject_id)
    },
  },
)
