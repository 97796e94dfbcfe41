/** Statistics: counted day by day, so that an aborted request stops, and stored under a number. */
import { isAllowed } from '#contract/access.ts'
import { AppError, badRequest, notFound, orNotFound } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { statistics } from './statistics.contract.ts'
import { dayOf, keepAnswer, keptAnswer, packsOfDay, picksOfDay, wagonEvents, wagonExists, wagonsOf } from './statistics.queries.ts'
import { breakGap_s, daysBetween, mostDays, rowsForView, segmentsOf, type View } from './statistics.rules.ts'
import { PickStatistics, statisticsSchemas } from './statistics.schemas.ts'

export const statisticsServer = implement(statistics, statisticsSchemas, {
  async picks({ start, end }, context) {
    const { principal, now } = context
    const main = principal.company.is_main
    const { rows, zone } = await byDay(context, start, end, (db, span) => picksOfDay(db, main, span))
    const whole = { from: dayOf(start, zone).from, to: dayOf(end, zone).to }
    const at = now()
    return context.transaction(async ({ db, scope }) => {
      const answer = { from: start, to: end, made_at: at.toISOString(), gap_s: breakGap_s, rows, wagons: await wagonsOf(db, main, whole) }
      const question = { company_id: scope.company_id, from: start, to: end }
      const id = await keepAnswer(db, { kind: 'picks', question, answer, user_id: principal.id, now: at })
      return shownPicks({ id, ...answer }, viewOf(principal))
    })
  },

  async kept({ id }, { db, scope, principal }) {
    const row = await keptAnswer(db, 'picks', id)
    // Another company's answer gives the same 404 as a missing one.
    if (!row || (row.question as { company_id?: number }).company_id !== scope.company_id)
      throw notFound('statistics_expired', 'These statistics are not kept any more. Ask for the period again.')
    return shownPicks(PickStatistics.parse({ ...(row.answer as object), id: row.id }), viewOf(principal))
  },

  async breaks({ pick_list, wagon }, { db, principal }) {
    if (!principal.company.is_main)
      throw notFound('wagon_not_in_list', 'Wagon {{wagon}} of list {{list}} not found.', { wagon, list: pick_list })
    orNotFound(await wagonExists(db, pick_list, wagon), 'wagon_not_found', 'Wagon not found')
    const events = await wagonEvents(db, pick_list, wagon)
    return {
      pick_list_id: pick_list,
      wagon_no: wagon,
      pickers: viewOf(principal) === 'people' ? [...new Set(events.map(event => event.user_name))] : [],
      began_at: events[0]?.at ?? null,
      ended_at: events.at(-1)?.at ?? null,
      gap_s: breakGap_s,
      ...segmentsOf(events, breakGap_s),
    }
  },

  async packs({ start, end }, context) {
    const { rows } = await byDay(context, start, end, packsOfDay)
    const at = context.now()
    const answer = { from: start, to: end, made_at: at.toISOString(), gap_s: breakGap_s, rows }
    return context.transaction(async ({ db, scope, principal }) => {
      const question = { company_id: scope.company_id, from: start, to: end }
      const id = await keepAnswer(db, { kind: 'packs', question, answer, user_id: principal.id, now: at })
      return { id, ...answer, rows: rowsForView(rows, viewOf(principal)) }
    })
  },
})

/** Names are for leaders of the warehouse; a shop sees what was done for its orders, and not how the staff worked. */
function viewOf({ permissions, company }: ExternalContext['principal']): View {
  if (!company.is_main) return 'orders'
  return isAllowed(permissions, ['statistics_admin']) ? 'people' : 'everyone'
}

function shownPicks(answer: PickStatistics, view: View): PickStatistics {
  if (view === 'people') return answer
  return { ...answer, rows: rowsForView(answer.rows, view), wagons: answer.wagons.map(wagon => ({ ...wagon, user_name: '' })) }
}

type Db = Parameters<typeof packsOfDay>[0]

/** Days counted in parallel: twice as fast, and most of the database's capacity is left for picking. */
const workers = 2

/** Each day is a short transaction of its own: a year of days blocks nothing, and ends when the client disconnects. */
async function byDay<R>(
  { transaction, scope, signal }: ExternalContext,
  start: string,
  end: string,
  rowsOf: (db: Db, span: { day: string; from: string; to: string }) => Promise<R[]>,
): Promise<{ rows: R[]; zone: string }> {
  if (end < start) throw badRequest('period_reversed', 'The period ends before it begins')
  const days = daysBetween(start, end)
  if (days.length > mostDays) throw badRequest('period_too_long', 'A period has at most {{count}} days', { count: mostDays })
  const zone = (await transaction(({ db }) => companySettings(db, scope.company_id))).time_zone
  const rows: R[][] = []
  let next = 0
  const runWorker = async () => {
    for (let i = next++; i < days.length; i = next++) {
      if (signal.aborted) throw new AppError(408, 'request_abandoned', 'No one waits for this answer any more')
      const day = elementAt(days, i)
      rows[i] = await transaction(({ db }) => rowsOf(db, { day, ...dayOf(day, zone) }))
    }
  }
  try {
    await Promise.all(Array.from({ length: workers }, runWorker))
  } finally {
    // After an error in one worker the others stop.
    next = days.length
  }
  return { rows: rows.flat(), zone }
}
