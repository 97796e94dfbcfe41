/** Deadlines: handlers. */

import { randomUUID } from 'node:crypto'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { calendarOfYear, knowsCalendar } from '#features/company/holidays/public-holidays.server.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { plannedOf } from './deadline-plan.server.ts'
import { createDeadline, followClock, followDeadlines, removeDay, removeDeadline, setDay, updateDeadline } from './deadlines.commands.ts'
import { deadlines } from './deadlines.contract.ts'
import {
  daysAround,
  daysBetween,
  deadlineById,
  deadlineRows,
  findDeadlines,
  methodOptions,
  openOrderIds,
  openOrders,
} from './deadlines.queries.ts'
import { type DeadlineFields, deadlinesSchemas } from './deadlines.schemas.ts'
import { closedDayList, deadlineList, placeOfDay } from './deadlines-history.server.ts'
import { assignDeadline, promiseOf, startOf } from './pickup.rules.ts'

/** More open orders are not looked at by a preview. */
const mostPreviewed = 20_000

async function preview(context: Context, fields: DeadlineFields, id: number | null) {
  const { db, principal, now } = context
  const at = now().getTime()
  const { time_zone } = await companySettings(db, principal.company.id)
  const days = await daysAround(db, at)
  const others = (await deadlineRows(db)).filter(row => row.active && row.id !== id)
  // A new deadline comes after those that exist.
  const meant = { ...fields, id: id ?? Number.MAX_SAFE_INTEGER, time_zone }
  const plan = [...others, ...(fields.active ? [meant] : [])].map(one => plannedOf(one, days))
  const counts = { open_orders: 0, moved: 0, newly_late: 0 }
  const late = (when: string | null) => when !== null && Date.parse(when) < at
  for (const order of await openOrders(db, await openOrderIds(db, mostPreviewed))) {
    if (order.stopped) continue
    const fixed = promiseOf(order)
    const next = assignDeadline(plan, { ...order, from: startOf(order), now: at, fixed, fallback: () => order.ship_by })
    const wasHere = id !== null && order.deadline_id === id
    const isHere = next.deadline_id === meant.id
    if (!wasHere && !isHere) continue
    if (isHere) counts.open_orders++
    // A passed pickup does not move later by a rule.
    if (late(order.deadline_at)) continue
    if (wasHere !== isHere || next.deadline_at !== order.deadline_at) counts.moved++
    if (late(next.deadline_at) && !late(order.ship_by)) counts.newly_late++
  }
  return counts
}

export const deadlinesServer = implement(
  deadlines,
  deadlinesSchemas,
  {
    list: (asked, context) => findDeadlines(context, asked),
    create: ({ body: { client_id = randomUUID(), ...fields } }, context) =>
      addEntry(
        deadlineList,
        context,
        () => createDeadline(context, fields, client_id),
        deadline => deadline.id,
      ),
    remove: ({ id }, context) => changeEntry(deadlineList, context, id, () => removeDeadline(context, id)),
    one: ({ id }, context) => deadlineById(context, id),
    async options(_, { db, principal }) {
      return { methods: await methodOptions(db), time_zone: (await companySettings(db, principal.company.id)).time_zone }
    },
    update: ({ id, body: { version, ...fields } }, context) =>
      changeEntry(deadlineList, context, id, () => updateDeadline(context, id, version, fields)),
    preview: ({ body: { id, ...fields } }, context) => preview(context, fields, id),
    async days({ from, to }, { db, principal }) {
      const { locale } = await companySettings(db, principal.company.id)
      const countries = [...new Set((await deadlineRows(db)).flatMap(row => (row.active ? (row.holidays ?? []) : [])))].filter(
        knowsCalendar,
      )
      const years = [...new Set([Number(from.slice(0, 4)), Number(to.slice(0, 4))])]
      return {
        rows: await daysBetween(db, from, to),
        holidays: countries
          .flatMap(country => years.flatMap(year => calendarOfYear(country, year, locale).map(one => ({ ...one, country }))))
          .filter(({ day }) => day >= from && day <= to)
          .toSorted((a, b) => a.day.localeCompare(b.day) || a.country.localeCompare(b.country)),
      }
    },
    setDay: ({ body }, context) => changeEntry(closedDayList, context, placeOfDay(body), () => setDay(context, body)),
    removeDay: (key, context) => changeEntry(closedDayList, context, placeOfDay(key), () => removeDay(context, key)),
  },
  {
    'company.changed': async (events, context) => {
      if (!events.some(({ data }) => 'time_zone' in data) || !context.principal.company.is_main) return
      await followClock(context)
      await followDeadlines(context)
    },
  },
)
