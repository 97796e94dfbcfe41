/** Figures: handlers. */
import { access, isAllowed } from '#contract/access.ts'
import { AppError, badRequest } from '#contract/errors.ts'
import { boundsOfDay } from '#domain/local-days.ts'
import { boardsInCookies, liveBoard, scopeOfBoards } from '#features/company/boards/boards.queries.ts'
import { mainCompanySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { ratio } from '#features/insight/statistics/statistics.rules.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { mostFigureDays } from './figures.codes.ts'
import { figures } from './figures.contract.ts'
import { type HourCount, holdsNow, hourCounts, lateNow, namesAtWork, peopleAtWork, returnsIn, storedUntil } from './figures.queries.ts'
import { comparedDays, comparedSpan, partsOf, published, type Span, spanOf } from './figures.rules.ts'
import { type Figures, figuresSchemas, type Sums } from './figures.schemas.ts'

const shownDays = 30

const courierName = (agent_code: string): string => courier(agent_code)?.capabilities.name ?? agent_code

const sumsOf = (rows: readonly HourCount[]): Sums => {
  const sums: Sums = { received: 0, packed: 0, packed_on_time: 0, handed_over: 0 }
  for (const row of rows) sums[row.metric] += row.n
  return sums
}

function byCourier(rows: readonly HourCount[]): Map<string, number> {
  const couriers = new Map<string, number>()
  for (const { metric, agent_code, n } of rows) if (metric === 'handed_over') couriers.set(agent_code, (couriers.get(agent_code) ?? 0) + n)
  return couriers
}

function seriesOf(rows: readonly HourCount[]): Figures['series'] {
  const series = new Map<string, Figures['series'][number]>()
  for (const { at, metric, n } of rows) {
    if (metric === 'packed_on_time') continue
    const point = series.get(at) ?? { at, received: 0, packed: 0, handed_over: 0 }
    point[metric] += n
    series.set(at, point)
  }
  return [...series.values()]
}

/** Counts spans with the hours that are stored, and what is not stored from the rows themselves. */
async function counterOf({ services, scope }: Pick<ExternalContext, 'services' | 'scope'>, time_zone: string, spans: readonly Span[]) {
  const some = spans.filter(span => span.to > span.from)
  const dayAt = (at: number) => localDay(new Date(at), time_zone)
  const until =
    some.length === 0
      ? new Map<string, number>()
      : await storedUntil(
          services.database,
          scope.operator_id,
          dayAt(Math.min(...some.map(span => span.from))),
          dayAt(Math.max(...some.map(span => span.to))),
        )
  return (db: Db, span: Span, unit: 'hour' | 'day', company_id?: number) =>
    hourCounts(db, partsOf(span, until, time_zone), { unit, time_zone, company_id })
}

const instants = ({ from, to }: Span) => ({ from: new Date(from).toISOString(), until: new Date(to).toISOString() })

export const figuresServer = implement(figures, figuresSchemas, {
  async home({ from, to, compare, company_id }, context) {
    const { services, scope, principal, now } = context
    if (to < from) throw badRequest('period_reversed', 'The period ends before it begins')
    if ((Date.parse(to) - Date.parse(from)) / 86_400_000 >= mostFigureDays)
      throw badRequest('period_too_long', 'A period has at most {{count}} days', { count: mostFigureDays })
    const at = now()
    const { time_zone } = await mainCompanySettings(services.database, scope.operator_id)
    const span = spanOf(from, to, time_zone, at.getTime())
    const earlier =
      compare === 'none' ? null : { ...comparedDays(from, to, compare), span: comparedSpan(from, to, compare, time_zone, at.getTime()) }
    const count = await counterOf(context, time_zone, earlier ? [span, earlier.span] : [span])
    const seesReturns = isAllowed(principal.permissions, access.returns)
    const unit = from === to ? 'hour' : 'day'
    return services.database.readOnly(scope, async db => {
      const [rows, before, returnsBefore, late, returns, holds, people] = await Promise.all([
        count(db, span, unit, company_id),
        earlier ? count(db, earlier.span, 'day', company_id) : null,
        earlier && seesReturns ? returnsIn(db, earlier.span, company_id) : null,
        lateNow(db, at, company_id),
        seesReturns ? returnsIn(db, span, company_id) : null,
        holdsNow(db, company_id),
        principal.company.is_main ? peopleAtWork(db, at) : null,
      ])
      const couriersBefore = before ? byCourier(before) : null
      const couriers = byCourier(rows)
      const codes = new Set([...couriers.keys(), ...(couriersBefore?.keys() ?? [])])
      return {
        ...{ from, to, time_zone, server_time: at.toISOString(), unit },
        now: sumsOf(rows),
        span: { from: boundsOfDay(from, time_zone).from, until: boundsOfDay(to, time_zone).to },
        before:
          before && earlier
            ? {
                ...{ from: earlier.from, to: earlier.to, span: instants(earlier.span), ...sumsOf(before) },
                returns: returnsBefore,
              }
            : null,
        late,
        returns,
        series: seriesOf(rows),
        couriers: [...codes]
          .map(agent_code => ({
            agent_code,
            name: courierName(agent_code),
            n: couriers.get(agent_code) ?? 0,
            before: couriersBefore ? (couriersBefore.get(agent_code) ?? 0) : null,
          }))
          .toSorted((one, other) => other.n - one.n || one.agent_code.localeCompare(other.agent_code)),
        holds,
        people,
      }
    })
  },

  people: async (_, { db, now }) => ({ rows: await namesAtWork(db, now()) }),

  async published({ board }, context) {
    const { services, scope, now } = context
    const at = now()
    const ids = boardsInCookies(context).filter(id => board === undefined || id === board)
    const link = await services.database.readOnly(scope, db => liveBoard(db, 'stats', ids, at))
    if (!link) throw new AppError(410, 'board_ended', 'This board link was revoked. Ask for a new one.')
    const { time_zone } = await mainCompanySettings(services.database, scope.operator_id)
    const today = localDay(at, time_zone)
    const first = Temporal.PlainDate.from(today)
      .subtract({ days: shownDays - 1 })
      .toString()
    const span = spanOf(first, today, time_zone, at.getTime())
    const wide = await scopeOfBoards(context)
    const count = await counterOf({ services, scope: wide }, time_zone, [span])
    const rows = await services.database.readOnly(wide, db => count(db, span, 'day'))
    const start = spanOf(today, today, time_zone, at.getTime()).from
    const shown = (some: readonly HourCount[]) => {
      const { received, packed, packed_on_time, handed_over } = sumsOf(some)
      return {
        received: published(received),
        handed_over: published(handed_over),
        on_time: published(packed) === null ? null : ratio(packed_on_time, packed),
        couriers: [...byCourier(some)]
          .filter(([, n]) => published(n) !== null)
          .map(([agent_code, n]) => ({ name: courierName(agent_code), n }))
          .toSorted((one, other) => other.n - one.n || one.name.localeCompare(other.name)),
      }
    }
    return {
      ...{ name: link.name, time_zone, server_time: at.toISOString() },
      today: shown(rows.filter(row => Date.parse(row.at) >= start)),
      last_30_days: shown(rows),
    }
  },
})
