/** The punch clock: handlers. */
import { isAllowed } from '#contract/access.ts'
import { AppError, badRequest, forbidden, notFound } from '#contract/errors.ts'
import { logAccess } from '#features/company/access-log/access-log.commands.ts'
import { agreeWith } from '#features/company/announcements/announcements.commands.ts'
import { waitingFor } from '#features/company/announcements/announcements.queries.ts'
import { makeBoardToken, revokeBoardToken } from '#features/company/boards/boards.commands.ts'
import { boardsInCookies, boardsOf, isLiveBoard } from '#features/company/boards/boards.queries.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { countDays, daysToCount, figuresOfToday } from '#features/people/work-figures/work-figures.commands.ts'
import { figuresBetween } from '#features/people/work-figures/work-figures.queries.ts'
import { tableAnswer } from '#platform/csv/table-answer.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { addressMatches } from '#platform/http/tenant-host.ts'
import { askPerson } from './ask-person.commands.ts'
import { groupedWork, inView } from './grouped-work.rules.ts'
import { giveTicket, identify, personNeeded, ticketHolder } from './identity.queries.ts'
import { type EarlyWhy, mostIntervalDays, mostReportDays, undoSeconds } from './punch.codes.ts'
import { firstName, isEarlyOut, sumsOf, timeOfTap } from './punch.rules.ts'
import { punchClock, punchLeads } from './punch-clock.contract.ts'
import { punchClockSchemas, type SyncEntry, type SyncResult, type Tapped, type Who } from './punch-clock.schemas.ts'
import {
  changePunch,
  clockIn,
  clockOut,
  correctPunch,
  decideCorrection,
  explainEarlyOut,
  flagMissingOut,
  markRejectSeen,
  type Person,
  rejectTap,
  type Tap,
  type TapResult,
  undoTap,
  validatePunch,
} from './punches.commands.ts'
import {
  forgottenPunch,
  lastPunches,
  missingOuts,
  openPunch,
  peopleIn,
  peopleNamed,
  punchesBetween,
  punchesPage,
  roster,
  shiftEndOf,
  toLookAt,
  versionOfTap,
} from './punches.queries.ts'
import { badgeHint, isOwnMark, markOf, opener, publicKey } from './sealing.commands.ts'
import { workDaysOf } from './work-done.rules.ts'

const isLead = ({ principal }: Pick<Context, 'principal'>): boolean => isAllowed(principal.permissions, punchLeads)
/** Without the permission of a lead one sees oneself. */
const seenUser = (context: Pick<Context, 'principal'>): number | undefined => (isLead(context) ? undefined : context.principal.id)

const mondayOf = (day: string): string => {
  const date = Temporal.PlainDate.from(day)
  return date.subtract({ days: date.dayOfWeek - 1 }).toString()
}

/** What the kiosk shows of a person: what runs, and the sums of day and week. */
async function shownPerson(
  { db, principal, now }: Context,
  { user_id, name }: Pick<Person, 'user_id' | 'name'>,
): Promise<Tapped['person']> {
  const { time_zone } = await companySettings(db, principal.company.id)
  const today = localDay(now(), time_zone)
  const open = await openPunch(db, user_id)
  const week = await punchesBetween(db, { from: mondayOf(today), to: today, user_id })
  const at = now().getTime()
  return {
    user_id,
    first_name: firstName(name),
    open: open && {
      id: open.id,
      type: open.type,
      since: open.started_at ?? open.not_before ?? now().toISOString(),
      shift_end: await shiftEndOf(db, open),
    },
    today_s: sumsOf(
      week.filter(punch => punch.work_date === (open?.work_date ?? today)),
      at,
    ).worked_s,
    week_s: sumsOf(week, at).worked_s,
  }
}

async function forgottenOf({ db, now }: Context, user_id: number): Promise<Tapped['forgotten']> {
  const punch = await forgottenPunch(db, user_id, now())
  if (!punch || punch.started_at === null) return null
  return { id: punch.id, version: punch.version, work_date: punch.work_date, started_at: punch.started_at, type: punch.type }
}

async function tapped(
  outside: ExternalContext,
  person: Person,
  step: (context: Context, tap: Tap) => Promise<TapResult>,
  { reads }: { reads: boolean },
): Promise<Tapped> {
  const answer = await outside.transaction(async context => {
    const result = await step(context, { at: context.now().toISOString() })
    const { db, principal, now } = context
    const reader = { user_id: person.user_id, company_id: principal.company.id }
    return {
      ...result,
      person: await shownPerson(context, person),
      forgotten: await forgottenOf(context, person.user_id),
      announcements: reads ? await waitingFor(db, reader, now()) : [],
      early: reads || result.duplicate ? null : await earlyOf(context, result.punch),
    }
  })
  return { ...answer, ticket: giveTicket(outside, person), mark: markOf(outside) }
}

/** What a clock-out well before the end of its shift is asked about. */
async function earlyOf({ db, principal, now }: Context, punch: TapResult['punch']): Promise<Tapped['early']> {
  const shift_end = await shiftEndOf(db, punch)
  const { hours } = await companySettings(db, principal.company.id)
  const isEarly = isEarlyOut(now().getTime(), shift_end === null ? null : Date.parse(shift_end), hours.early_out_min)
  return isEarly && shift_end !== null ? { shift_end } : null
}

async function workDoneOf(outside: ExternalContext, { start, end }: { start: string; end: string }) {
  checkPeriod(start, end, mostReportDays)
  await countDays(outside, await daysToCount(outside, { from: start, to: end }))
  const seen = seenUser(outside)
  const running = (await figuresOfToday(outside)).filter(one => one.day >= start && one.day <= end)
  return outside.transaction(async ({ db, now, principal }) => {
    const punches = await punchesBetween(db, { from: start, to: end, user_id: seen })
    const stored = await figuresBetween(db, { from: start, to: end, user_id: seen })
    const people = await db.selectFrom('users').select(['id', 'name']).where('company_id', '=', principal.company.id).execute()
    const names = new Map(people.filter(({ id }) => seen === undefined || seen === id).map(({ id, name }) => [id, name]))
    const today = running[0]?.day
    const figures = [...stored.filter(one => one.day !== today), ...running]
    return { from: start, to: end, rows: workDaysOf(punches, figures, names, now().getTime()) }
  })
}

const sourceOf = ({ way }: Person) => (way === 'session' ? ('self' as const) : ('kiosk' as const))

const rejections: Readonly<Record<string, SyncResult['why']>> = {
  unknown_badge: 'unknown_badge',
  wrong_pin: 'wrong_pin',
  already_in: 'already_in',
  not_in: 'not_in',
}

/** One tap that a device kept: accepted, or kept for a lead to look at. */
async function syncOne(
  outside: ExternalContext,
  entry: SyncEntry,
  open: Awaited<ReturnType<typeof opener>>,
  previous_at: number | null,
): Promise<{ result: SyncResult; at: number | null }> {
  const { client_id, action, type } = entry
  const answer = (outcome: SyncResult['outcome'], more: Partial<SyncResult> = {}) => ({
    client_id,
    outcome,
    why: null,
    first_name: null,
    ...more,
  })
  const known = await outside.transaction(({ db }) => versionOfTap(db, client_id))
  if (known) return { result: answer('duplicate'), at: null }
  const received_at = outside.now().getTime()
  const time = timeOfTap({
    mark_at: Date.parse(entry.mark.server_time),
    signed: isOwnMark(outside, entry.mark),
    same_boot: entry.boot_id === entry.mark_boot_id,
    elapsed_ms: entry.elapsed_ms,
    device_elapsed_ms: entry.device_elapsed_ms,
    received_at,
    previous_at,
  })
  const { who = null, why: early = undefined } = open(entry.sealed) ?? {}
  const employee_no = who && 'employee_no' in who ? who.employee_no : null
  const reject = async (why: NonNullable<SyncResult['why']>, estimate: number | null) => {
    await outside.transaction(context => rejectTap(context, { client_id, why, estimate, employee_no }))
    return { result: answer('rejected', { why }), at: null }
  }
  if (time.kind === 'rejected') return reject(time.why, time.estimate)
  const estimate = time.kind === 'exact' ? time.at : time.from
  if (action === 'why') return { result: await explainKept(outside, entry, who && early ? { who, why: early } : null), at: null }
  if (who === null) return reject('unsealed', estimate)
  try {
    const person = await identify(outside, who, { kept: true })
    const tap: Tap =
      time.kind === 'exact'
        ? { at: new Date(time.at).toISOString() }
        : { from: new Date(time.from).toISOString(), to: new Date(time.to).toISOString() }
    const { duplicate } = await outside.transaction(context => {
      const input = { person, tap, client_id, source: 'offline' as const }
      return action === 'in' ? clockIn(context, type, input) : clockOut(context, 0, input)
    })
    const outcome = duplicate ? 'duplicate' : time.kind === 'exact' ? 'accepted' : 'unverified'
    return { result: answer(outcome, { first_name: firstName(person.name) }), at: time.kind === 'exact' ? time.at : null }
  } catch (error) {
    const why = error instanceof AppError ? rejections[error.code] : undefined
    if (!why) throw error
    return reject(why, estimate)
  }
}

/**
 * Why a kept clock-out was early. What cannot be used is dropped: the clock-out itself stands, or a lead sees it among the unknown taps.
 */
async function explainKept(
  outside: ExternalContext,
  { client_id, of: tap_id }: SyncEntry,
  answer: { who: Who; why: EarlyWhy } | null,
): Promise<SyncResult> {
  const dropped = { client_id, outcome: 'rejected', why: null, first_name: null } as const
  if (answer === null || tap_id === undefined) return dropped
  try {
    const person = await identify(outside, answer.who, { kept: true })
    await outside.transaction(context => explainEarlyOut(context, person, { client_id: tap_id, why: answer.why }))
    return { client_id, outcome: 'accepted', why: null, first_name: firstName(person.name) }
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 429 || error.status >= 500) throw error
    return dropped
  }
}

/** Days that a report covers; refuses what is reversed or too long. */
function checkPeriod(start: string, end: string, days: number): void {
  if (end < start) throw badRequest('period_reversed', 'The period ends before it begins')
  const length = Temporal.PlainDate.from(start).until(Temporal.PlainDate.from(end)).days + 1
  if (length > days) throw badRequest('period_too_long', 'A period has at most {{count}} days', { count: days })
}

export const punchClockServer = implement(
  punchClock,
  punchClockSchemas,
  {
    async punchIn({ body: { client_id, type, who } }, outside) {
      const person = await identify(outside, who)
      return tapped(outside, person, (context, tap) => clockIn(context, type, { person, tap, client_id, source: sourceOf(person) }), {
        reads: true,
      })
    },

    async punchOut({ x, body: { client_id, who } }, outside) {
      const person = await identify(outside, who)
      return tapped(outside, person, (context, tap) => clockOut(context, x, { person, tap, client_id, source: sourceOf(person) }), {
        reads: false,
      })
    },

    current: async (_, { db, principal }) => ({ punch: await openPunch(db, principal.id) }),
    last: async ({ limit }, { db, principal }) => ({ rows: await lastPunches(db, principal.id, limit) }),
    check: (period, { db }) => toLookAt(db, period),
    validate: ({ id, body }, context) => validatePunch(context, id, body),
    remove: ({ id, body }, context) => changePunch(context, id, { delete: true }, body),
    setType: ({ id, type, body }, context) => changePunch(context, id, { type }, body),
    decide: ({ id, body }, context) => decideCorrection(context, id, body),
    notOut: async (_, { db, now }) => ({ rows: await missingOuts(db, now()) }),

    async update({ id, body: { ticket, ...body } }, context) {
      if (ticket === undefined && context.principal.device) throw personNeeded()
      const acting = ticket === undefined ? context.principal.id : ticketHolder(context, ticket).user_id
      const row = await context.db.selectFrom('users').select('name').where('id', '=', acting).executeTakeFirst()
      return correctPunch(context, id, body, { user_id: acting, name: row?.name ?? '' })
    },

    async board(_, context) {
      const { db, principal, ip, now } = context
      const { packing_ip_pattern, time_zone } = await companySettings(db, principal.company.id)
      if (!addressMatches(packing_ip_pattern, ip) && !(await isLiveBoard(db, 'punchclock', boardsInCookies(context))))
        throw new AppError(410, 'board_ended', 'This board link was revoked. Ask for a new one.')
      const rows = await peopleIn(db)
      return {
        server_time: now().toISOString(),
        time_zone,
        company: principal.company.name,
        rows: rows.map(({ name, type, since }) => ({ first_name: firstName(name), state: type, since })),
      }
    },

    async today(_, outside) {
      const seen = seenUser(outside)
      const figures = await figuresOfToday(outside)
      return outside.transaction(async ({ db, principal, now }) => {
        const { time_zone } = await companySettings(db, principal.company.id)
        const punches = await punchesBetween(db, { from: localDay(now(), time_zone), to: localDay(now(), time_zone), user_id: seen })
        const running = new Map((await peopleIn(db)).map(one => [one.user_id, one]))
        const names = new Map(punches.map(punch => [punch.user_id, punch.user_name]))
        for (const one of running.values()) if (seen === undefined || seen === one.user_id) names.set(one.user_id, one.name)
        return {
          rows: [...names]
            .map(([user_id, user_name]) => ({
              user_id,
              user_name,
              state: running.get(user_id)?.type ?? null,
              ...sumsOf(
                punches.filter(punch => punch.user_id === user_id),
                now().getTime(),
              ),
              pieces: sumOf(figures, user_id, 'pieces'),
              orders: sumOf(figures, user_id, 'orders'),
            }))
            .toSorted((a, b) => a.user_name.localeCompare(b.user_name)),
        }
      })
    },

    async search({ q }, context) {
      const states = new Map((await peopleIn(context.db)).map(one => [one.user_id, one.type]))
      const rows = await peopleNamed(context.db, q)
      const lead = isLead(context)
      return {
        rows: rows.map(({ name, ...row }) => ({
          ...row,
          name: lead ? name : firstName(name),
          state: lead ? (states.get(row.user_id) ?? null) : null,
        })),
      }
    },

    workDone: (period, outside) => workDoneOf(outside, period),

    async exportWorkDone({ start, end, format, by, view, query }, outside) {
      const { rows } = await workDoneOf(outside, { start, end })
      // Before the answer: what is given away was written down.
      await outside.transaction(context =>
        logAccess(context, {
          ...{ subject_type: 'user', subject_id: seenUser(outside) ?? null, what: 'hours.export', durable: true },
          criteria: `${start} ${end}`,
        }),
      )
      const words = query.toLowerCase()
      const shown = groupedWork(rows, by).filter(row => inView[view](row) && row.user_name.toLowerCase().includes(words))
      const times = ['work_s', 'meeting_s', 'cleaning_s', 'other_s', 'break_s', 'worked_s'] as const
      return tableAnswer(
        { name: `work-done-${start}-${end}`, sheet: 'Work done', format },
        ['name', by === 'day' ? 'day' : 'days', ...times.map(key => key.replace('_s', '_hours')), 'orders', 'lines', 'pieces', 'source'],
        shown.map(row => [
          ...[row.user_name, row.work_date ?? row.days, ...times.map(key => Math.round(row[key] / 36) / 100)],
          ...[row.orders, row.lines, row.pieces, row.source],
        ]),
      )
    },

    interval({ start, end, user_id, ...paging }, context) {
      checkPeriod(start, end, mostIntervalDays)
      const seen = seenUser(context)
      if (seen !== undefined && user_id !== undefined && user_id !== seen)
        throw forbidden('times_of_others', 'You can see only your own times.')
      return punchesPage(context.db, { from: start, to: end, user_id: seen ?? user_id, ...paging })
    },

    async kiosk(_, outside) {
      const key = await publicKey(outside)
      return outside.transaction(async ({ db, principal }) => {
        const states = new Map((await peopleIn(db)).map(one => [one.user_id, one]))
        const { hours } = await companySettings(db, principal.company.id)
        const people = await roster(db, principal.company.id, [...states.keys()])
        return {
          roster: people.map(({ name, code_hash, pin_of, ...row }) => ({
            ...row,
            first_name: firstName(name),
            has_pin: pin_of !== null,
            badge_hint: badgeHint(code_hash),
            state: states.get(row.user_id)?.type ?? null,
            since: states.get(row.user_id)?.since ?? null,
            shift_end: states.get(row.user_id)?.shift_end ?? null,
          })),
          early_out_min: hours.early_out_min,
          public_key: key,
          mark: markOf(outside),
        }
      })
    },

    async identify({ body }, outside) {
      const person = await identify(outside, body.who)
      const shown = await outside.transaction(async context => ({
        person: await shownPerson(context, person),
        forgotten: await forgottenOf(context, person.user_id),
      }))
      return { ...shown, ticket: giveTicket(outside, person), mark: markOf(outside) }
    },

    async sync({ body: { entries } }, outside) {
      const open = await opener(outside)
      const results: SyncResult[] = []
      let previous: number | null = null
      for (const entry of entries.toSorted((a, b) => a.seq - b.seq)) {
        try {
          const one = await syncOne(outside, entry, open, previous)
          results.push(one.result)
          previous = one.at ?? previous
        } catch (error) {
          // Too many wrong PINs: the device keeps the rest and sends it later.
          if (error instanceof AppError && error.status === 429 && results.length > 0) break
          throw error
        }
      }
      await outside.transaction(({ recordEvent }) => recordEvent({ kind: 'punch.synced', data: { count: results.length } }))
      return { results, mark: markOf(outside) }
    },

    async agree({ id, body: { ticket, ...agreement } }, context) {
      const { user_id } = ticketHolder(context, ticket)
      const row = await context.db.selectFrom('users').select('name').where('id', '=', user_id).executeTakeFirst()
      await agreeWith(context, id, agreement, { user_id, name: row?.name ?? '' })
    },

    async earlyOut({ body: { ticket, ...answer } }, context) {
      const { user_id } = ticketHolder(context, ticket)
      const row = await context.db.selectFrom('users').select('name').where('id', '=', user_id).executeTakeFirst()
      return explainEarlyOut(context, { user_id, name: row?.name ?? '' }, answer)
    },

    async undo({ body: { client_id, ticket } }, context) {
      const { user_id } = ticketHolder(context, ticket)
      const tap = await versionOfTap(context.db, client_id)
      if (!tap || context.now().getTime() - Date.parse(tap.at) > undoSeconds * 1_000)
        throw notFound('tap_not_last', 'This can no longer be undone.')
      await undoTap(context, user_id, client_id)
      const row = await context.db.selectFrom('users').select('name').where('id', '=', user_id).executeTakeFirst()
      return { person: await shownPerson(context, { user_id, name: row?.name ?? '' }) }
    },

    ask: ({ id }, context) => askPerson(context, id),
    async seen({ client_id }, context) {
      if (!(await markRejectSeen(context, client_id))) throw notFound('punch_not_found', 'Time entry not found')
      context.notify('punch')
    },

    boardTokens: async (_, { db }) => ({ rows: await boardsOf(db, 'punchclock') }),
    makeBoardToken: ({ body }, context) => makeBoardToken(context, 'punchclock', body.name),
    revokeBoardToken: ({ id }, context) => revokeBoardToken(context, 'punchclock', id),
  },
  {
    // A person who is removed while clocked in has not clocked out: the end stays unknown until a lead writes it.
    'user.removed': async (events, context) => {
      for (const { subject_id } of events) {
        const open = typeof subject_id === 'number' ? await openPunch(context.db, subject_id) : null
        if (open?.state === 'open') await flagMissingOut(context, open)
      }
    },
  },
)

const sumOf = (rows: readonly { user_id: number; pieces: number; orders: number }[], user_id: number, name: 'pieces' | 'orders'): number =>
  rows.filter(row => row.user_id === user_id).reduce((sum, row) => sum + row[name], 0)
