/** Timesheets: handlers. */
import { setImmediate as breathe } from 'node:timers/promises'
import { badRequest } from '#contract/errors.ts'
import { changeSettingGroup } from '#features/company/companies/companies.commands.ts'
import { settingGroup } from '#features/company/companies/companies.queries.ts'
import { dayHistory } from '#features/people/punch-clock/punches.queries.ts'
import { approvedAverages } from '#features/people/schedule/approved-average.queries.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { mostTimesheetDays } from './timesheet.codes.ts'
import { approveDays, lockDays, unapproveDays, unlockDays } from './timesheet.commands.ts'
import { timesheet } from './timesheet.contract.ts'
import { approvedIntervals, dayVersions, isoOf, shownRows, timesheetDays } from './timesheet.queries.ts'
import { timesheetSchemas } from './timesheet.schemas.ts'

const mostOwnDays = 400

function checkPeriod(start: string, end: string, days: number): void {
  if (end < start) throw badRequest('period_reversed', 'The period ends before it begins')
  if ((Date.parse(end) - Date.parse(start)) / 86_400_000 >= days)
    throw badRequest('period_too_long', 'A period has at most {{count}} days', { count: days })
}

async function answer(context: Context, start: string, end: string, user_id?: number) {
  const { db, principal } = context
  const [days, average] = await Promise.all([
    timesheetDays(db, principal.company.id, { from: start, to: end, user_id }),
    approvedAverages(context, end, user_id),
  ])
  await breathe()
  const rows = shownRows(days, { average, viewer: principal.id })
  await breathe()
  return { from: start, to: end, rows }
}

async function detail(context: Context, user_id: number, work_date: string) {
  const { db, principal } = context
  const [day] = await timesheetDays(db, principal.company.id, { from: work_date, to: work_date, user_id })
  const rows = day ? shownRows([day], { average: await approvedAverages(context, work_date, user_id), viewer: principal.id }) : []
  const written = (intervals: NonNullable<typeof day>['proposal']['intervals']) =>
    intervals.map(({ from, to, ...rest }) => ({ ...rest, from: isoOf(from), to: isoOf(to) }))
  return {
    row: rows[0] ?? null,
    intervals: written(day?.proposal.intervals ?? []),
    approved_intervals: written(approvedIntervals(day)),
    punches: await dayHistory(db, user_id, work_date),
    versions: await dayVersions(db, user_id, work_date),
  }
}

export const timesheetServer = implement(timesheet, timesheetSchemas, {
  list({ start, end }, context) {
    checkPeriod(start, end, mostTimesheetDays)
    return answer(context, start, end)
  },
  day: ({ user_id, day }, context) => detail(context, user_id, day),
  approve: ({ body }, context) => approveDays(context, body.days),
  unapprove: ({ body }, context) => unapproveDays(context, body.days, body.reason),

  async lock({ body }, context) {
    checkPeriod(body.from, body.to, mostTimesheetDays)
    return { locked: await lockDays(context, body) }
  },
  async unlock({ body }, context) {
    checkPeriod(body.from, body.to, mostTimesheetDays)
    return { unlocked: await unlockDays(context, body) }
  },

  settings: (_, { db, principal }) => settingGroup(db, principal.company.id, 'hours'),
  async setSettings({ body }, { db, principal, recordEvent, notify, now }) {
    const hours = await changeSettingGroup(db, principal.company.id, 'hours', body, { name: principal.name, at: now() })
    await recordEvent({ kind: 'hours_settings.set', subject: 'company', subject_id: principal.company.id })
    notify('company')
    notify('timesheet')
    return hours
  },

  mine({ start, end }, context) {
    checkPeriod(start, end, mostOwnDays)
    return answer(context, start, end, context.principal.id)
  },
  myDay: ({ day }, context) => detail(context, context.principal.id, day),
})
