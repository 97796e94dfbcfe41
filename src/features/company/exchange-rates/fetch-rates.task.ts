/** Fetches the reference rates of the European Central Bank, once a working day. */
import { sql } from 'kysely'
import { addDays, clockAt, dayAt, weekdayOf } from '#domain/local-time.ts'
import { errorOf } from '#domain/thrown.ts'
import { type FetchedDay, fetchReferenceRates, type RateSource } from '#integrations/exchange-rates/ecb.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { keepPublishedRates } from './exchange-rates.commands.ts'

/** The bank publishes about 16:00 at its seat. */
const publishedFrom = '16:30'
/** Days after which the daily list leaves a gap. */
const dailyListDays = 1
/** A rate that moves by more in one day is a mistake. */
const largestMove = 0.2

export const fetchRates: ScheduledTask = {
  name: 'fetch reference rates',
  seconds: 3_600,
  atStart: true,
  run: services => fetchDueRates(services, services.config.ecb_url === undefined ? undefined : { url: services.config.ecb_url }),
}

/** The last working day whose list is published by now. */
export function newestListDay(now: Date): string {
  const zone = 'Europe/Berlin'
  const today = dayAt(now.getTime(), zone)
  let day = clockAt(now.getTime(), zone) >= publishedFrom ? today : addDays(today, -1)
  while (weekdayOf(day) > 5) day = addDays(day, -1)
  return day
}

/** Operators that lack the list of `day`, each with a company and with its newest list. */
async function operatorsWithout(services: Services, day: string) {
  const { rows } = await services.database.systemTransaction('the clock knows no tenant', db =>
    sql<{ operator_id: number; company_id: number; newest: string | null }>`
    select c.operator_id, min(c.id) company_id, (select max(r.day)::text from exchange_rates r where r.operator_id = c.operator_id) newest
    from companies c where c.is_main
      and not exists (select from exchange_rates r where r.operator_id = c.operator_id and r.day >= ${day}::date)
    group by c.operator_id order by c.operator_id limit 1000`.execute(db),
  )
  return rows
}

export async function fetchDueRates(services: Services, source: RateSource | undefined): Promise<void> {
  if (!source) return
  const day = newestListDay(services.now())
  const due = await operatorsWithout(services, day)
  if (due.length === 0) return
  const gap = due.some(one => one.newest === null || daysAfter(one.newest, day) > dailyListDays)
  let days: FetchedDay[]
  try {
    days = await fetchReferenceRates(source, gap ? 'ninety_days' : 'daily', services.closing)
  } catch (error) {
    services.log.warn({ error: errorOf(error).message }, 'the reference rates were not fetched')
    return
  }
  for (const { operator_id, company_id } of due) {
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(async ({ db, notify }) => {
      const before = await db
        .selectFrom('exchange_rates')
        .select(['currency', 'rate'])
        .distinctOn('currency')
        .orderBy('currency')
        .orderBy('day', 'desc')
        .execute()
      const known = new Map(before.map(row => [row.currency, Number(row.rate)]))
      for (const list of days.toSorted((one, other) => (one.day < other.day ? -1 : 1))) {
        const jump = list.rates.find(({ currency, rate }) => {
          const last = known.get(currency)
          return last !== undefined && Math.abs(Number(rate) / last - 1) > largestMove
        })
        if (jump) {
          services.log.warn({ day: list.day, currency: jump.currency }, 'a reference rate moved too far: the list is refused')
          return
        }
        await keepPublishedRates(
          db,
          list.rates.map(rate => ({ day: list.day, ...rate })),
        )
        for (const { currency, rate } of list.rates) known.set(currency, Number(rate))
      }
      notify('exchange_rate')
    })
  }
}

const daysAfter = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000
