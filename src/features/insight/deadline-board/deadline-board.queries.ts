/** The board of deadlines: what is left of each next pickup, in one statement, and the forecast for it. */
import { sql } from 'kysely'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { ruleOf } from '#features/orders/deadlines/deadline-plan.server.ts'
import { type DeadlineRow, daysAround, deadlineRows } from '#features/orders/deadlines/deadlines.queries.ts'
import { lastPickup, nextPickups } from '#features/orders/deadlines/pickup.rules.ts'
import { type DeadlineCount, deadlineCounts } from '#features/orders/orders/counts/deadline-counts.queries.ts'
import { advise, forecast, type PickupQueue, type Situation } from '#optimization/forecast/forecast.ts'
import type { Db } from '#platform/database/database.ts'
import { missedFor } from './alarm.rules.ts'
import { burnDownOf, shownBefore, type TimedCount } from './burn-down.rules.ts'
import { boardsSound } from './deadline-alarms.queries.ts'
import { type Alarm, alarms } from './deadline-board.codes.ts'
import { type Board, type BoardRow, BoardScope } from './deadline-board.schemas.ts'
import { type Pace, paceOf } from './pace.queries.ts'
import { peopleAtWork, ratesOf } from './people-at-work.rules.ts'

interface Occurrence {
  deadline: DeadlineRow
  due: number | null
  last: number | null
}

/** Without a pickup ahead all that is open belongs to the row. */
const farAway = '9999-01-01T00:00:00.000Z'

/** What was left of each next pickup in the last hours, one point for every five minutes. */
async function pointsOf(db: Db, rows: readonly Occurrence[], now: number): Promise<Map<number, TimedCount[]>> {
  const some = rows.flatMap(({ deadline, due }) => (due === null ? [] : [{ id: deadline.id, due: new Date(due).toISOString() }]))
  if (some.length === 0) return new Map()
  const { rows: found } = await sql<{ deadline_id: number; at: string; remaining: number }>`
    select distinct on (p.deadline_id, date_bin('5 minutes', p.at, 'epoch')) p.deadline_id, p.at, p.remaining
    from unnest(${some.map(one => one.id)}::bigint[], ${some.map(one => one.due)}::timestamptz[]) as d(id, due_at)
      join deadline_points p on p.operator_id = current_operator_id() and p.deadline_id = d.id and p.due_at = d.due_at
        and p.at > ${new Date(now - shownBefore).toISOString()} and p.at <= ${new Date(now).toISOString()}
    order by p.deadline_id, date_bin('5 minutes', p.at, 'epoch'), p.at desc`.execute(db)
  const points = new Map<number, TimedCount[]>()
  for (const { deadline_id, at, remaining } of found) {
    const line = points.get(deadline_id) ?? []
    line.push({ at: Date.parse(at), left: remaining })
    points.set(deadline_id, line)
  }
  return points
}

interface OpenAlarm {
  id: number
  deadline_id: number
  due_at: string
  stage: Alarm
  seen_at: string | null
  seen_by: string | null
}

/** Alarms of the next and the last pickups that have not ended, the highest stage first. */
async function openAlarms(db: Db, rows: readonly Occurrence[]): Promise<OpenAlarm[]> {
  const wanted = rows.flatMap(({ deadline, due, last }) =>
    [due, last].flatMap(at => (at === null ? [] : [{ id: deadline.id, at: new Date(at).toISOString() }])),
  )
  if (wanted.length === 0) return []
  const { rows: found } = await sql<OpenAlarm>`
    select a.id, a.deadline_id, a.due_at, a.stage, a.seen_at, u.name as seen_by
    from unnest(${wanted.map(one => one.id)}::bigint[], ${wanted.map(one => one.at)}::timestamptz[]) as d(id, due_at)
      join deadline_alarms a on a.operator_id = current_operator_id() and a.deadline_id = d.id and a.due_at = d.due_at and a.ended_at is null
      left join users u on u.operator_id = a.operator_id and u.id = a.seen_by
    order by array_position(${[...alarms].reverse()}::text[], a.stage)`.execute(db)
  return found
}

/** More pickups with orders that miss are not advised on. */
const mostAdvised = 8

export interface BoardOptions {
  now: Date
  company_id?: number | undefined
  deadline_ids?: readonly number[]
  figures: boolean
  name: string
  /** Whether it says who looks after an alarm. */
  names?: boolean
  /** Of whose clock and settings. */
  owner: { id: number; is_main: boolean }
}

export async function boardOf(
  db: Db,
  { now, company_id, deadline_ids = [], figures, name, names = false, owner }: BoardOptions,
): Promise<Board> {
  const at = now.getTime()
  const settings = await companySettings(db, owner.id)
  const days = await daysAround(db, at)
  const shown = (await deadlineRows(db)).filter(
    row =>
      row.active &&
      (deadline_ids.length === 0 || deadline_ids.includes(row.id)) &&
      (owner.is_main || row.company_ids.length === 0 || row.company_ids.includes(owner.id)),
  )
  const occurrences = shown
    .map((deadline): Occurrence => {
      const rule = ruleOf(deadline, days)
      return { deadline, due: nextPickups(rule, at, 1)[0] ?? null, last: lastPickup(rule, at) }
    })
    .toSorted((a, b) => (a.due ?? Number.MAX_SAFE_INTEGER) - (b.due ?? Number.MAX_SAFE_INTEGER) || a.deadline.id - b.deadline.id)
  const pickups = occurrences.map(({ deadline, due }) => ({
    id: deadline.id,
    due_at: due === null ? farAway : new Date(due).toISOString(),
  }))
  const counted = await deadlineCounts(db, pickups, { now, company_id })
  const whole = owner.is_main && company_id === undefined
  const pace = whole ? await paceOf(db, now) : null
  const stocks = occurrences.map(one => stockOf(one, counted))
  const outlook = pace ? outlookOf(stocks, pace, at, settings.pack_without_pick_list) : null
  const stored = whole ? await openAlarms(db, occurrences) : []
  const measured = whole ? await pointsOf(db, occurrences, at) : null
  const rows = stocks.map((stock, place): BoardRow => {
    const judged = outlook?.[place] ?? null
    const { deadline, due, last } = stock.occurrence
    const isMissed = stock.carried > 0 && last !== null && at - last <= missedFor
    const alarm = stored.find(
      one =>
        one.deadline_id === deadline.id && (isMissed ? one.stage === 'missed' : one.stage !== 'missed' && Date.parse(one.due_at) === due),
    )
    const burnDown =
      measured && due !== null
        ? burnDownOf(measured.get(deadline.id) ?? [], { now: at, left: stock.left, due, forecast: judged?.line ?? [] })
        : null
    return {
      deadline_id: deadline.id,
      name: deadline.name,
      due_at: due === null ? null : new Date(due).toISOString(),
      target: deadline.target,
      total: stock.left + stock.held + stock.exceptions + stock.done,
      done: stock.done,
      remaining: stock.remaining,
      on_hold: stock.held,
      exceptions: stock.exceptions,
      carried_over: stock.carried,
      forecast_missed: judged?.missed ?? null,
      finish_at: judged?.finish_at == null ? null : new Date(judged.finish_at).toISOString(),
      advice: judged?.advice?.people ? { stage: judged.advice.people.stage, people: judged.advice.people.count } : null,
      start_by: judged?.advice?.start_by == null ? null : new Date(judged.advice.start_by).toISOString(),
      alarm: isMissed ? 'missed' : (alarm?.stage ?? null),
      alarm_id: alarm?.id ?? null,
      seen_at: alarm?.seen_at ?? null,
      seen_by: names ? (alarm?.seen_by ?? null) : null,
      missed_at: isMissed && last !== null ? new Date(last).toISOString() : null,
      burn_down: burnDown,
    }
  })
  const sum = (of: (stock: Stock) => number) => stocks.reduce((all, stock) => all + of(stock), 0)
  const people = pace ? peopleAtWork(pace, at).filter(one => one.from <= at) : []
  return {
    server_time: now.toISOString(),
    time_zone: shown[0]?.time_zone ?? settings.time_zone,
    name,
    rows,
    sound: whole ? await boardsSound(db, owner.id) : false,
    totals:
      pace && figures
        ? {
            waiting: sum(stock => stock.left),
            packed_last_hour: pace.packed_last_hour,
            short: sum(stock => stock.short),
            exceptions: sum(stock => stock.exceptions - stock.short),
            packers: people.filter(one => one.stage === 'pack').length,
            pickers: people.filter(one => one.stage === 'pick').length,
          }
        : null,
  }
}

interface Stock {
  occurrence: Occurrence
  remaining: BoardRow['remaining']
  left: number
  held: number
  exceptions: number
  short: number
  carried: number
  done: number
  work: Pick<PickupQueue, 'ready' | 'picked' | 'packed'>
  unit: number
}

function stockOf(occurrence: Occurrence, all: readonly DeadlineCount[]): Stock {
  const { deadline } = occurrence
  const out = deadline.target === 'handed_over'
  const here = all.filter(row => row.deadline_id === deadline.id)
  const of = (field: 'n' | 'carried' | 'work', ...phases: string[]) =>
    here.filter(row => phases.includes(row.phase)).reduce((sum, row) => sum + row[field], 0)
  const remaining = {
    ready: of('n', 'new', 'ready'),
    picking: of('n', 'in_pick'),
    picked: of('n', 'picked'),
    packing: of('n', 'in_pack'),
    packed: out ? of('n', 'packed') : 0,
  }
  const left = remaining.ready + remaining.picking + remaining.picked + remaining.packing + remaining.packed
  const open = ['new', 'ready', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'label_error', ...(out ? ['packed'] : [])]
  const work = {
    ready: of('work', 'new', 'ready', 'in_pick'),
    picked: of('work', 'picked', 'in_pack'),
    packed: out ? of('work', 'packed') : 0,
  }
  const finished = here.find(row => row.phase === 'done')
  return {
    occurrence,
    remaining,
    left,
    held: of('n', 'held'),
    exceptions: of('n', 'short', 'label_error'),
    short: of('n', 'short'),
    carried: of('carried', ...open),
    // Of what has to be handed over, packed is not done.
    done: (finished?.n ?? 0) - (out ? (finished?.carried ?? 0) : 0),
    work,
    unit: left === 0 ? 1 : (work.ready + work.picked + work.packed) / left,
  }
}

function outlookOf(stocks: readonly Stock[], pace: Pace, now: number, packs_unpicked: boolean) {
  const work = stocks.reduce((sum, { work: { ready, picked, packed } }) => sum + ready + picked + packed, 0)
  const orders = stocks.reduce((sum, stock) => sum + stock.left, 0)
  const rates = ratesOf(pace, orders === 0 ? 1 : work / orders)
  if (!rates) return null
  const queues = stocks.map(
    (stock): PickupQueue => ({
      ...stock.work,
      due: stock.occurrence.due ?? Number.MAX_SAFE_INTEGER,
      target: stock.occurrence.deadline.target,
      unit: stock.unit,
    }),
  )
  const situation: Situation = { now, queues, people: peopleAtWork(pace, now), rates, packs_unpicked }
  const lines: TimedCount[][] = queues.map(() => [])
  const results = forecast(situation, (place, at, left) => {
    const line = lines[place]
    // What is done stays at nothing; a pickup far away is not drawn.
    if (line && at <= now + shownBefore && (left > 0 || line.at(-1)?.left !== 0)) line.push({ at, left: Math.round(left * 10) / 10 })
  })
  let advised = 0
  return results.map((result, place) => ({
    ...result,
    line: lines[place] ?? [],
    advice: result.missed > 0 && advised++ < mostAdvised ? advise(situation, place) : null,
  }))
}

/** What a token's board shows. */
export const scopeOf = (scope: unknown): BoardScope => {
  const read = BoardScope.partial()
    .catch({})
    .parse(scope ?? {})
  return { deadline_ids: read.deadline_ids ?? [], figures: read.figures ?? true }
}
