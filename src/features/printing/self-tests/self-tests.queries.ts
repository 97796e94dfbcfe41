/** Self-tests as they are read: the schedule of each station and its last page. */
import { sql } from 'kysely'
import { choosePrinter } from '#domain/printer-choice.ts'
import { stationsWithPrinters } from '#features/printing/station-printers/station-printers.queries.ts'
import { testCode } from '#integrations/printers/test-print.ts'
import type { Db } from '#platform/database/database.ts'
import { type SelfTestState, scanMinutes } from './self-tests.codes.ts'
import type { SelfTest, StationSelfTest } from './self-tests.schemas.ts'

const testColumns = [
  't.id',
  't.station_id',
  't.print_job_id',
  't.number',
  't.day',
  't.asked_at',
  't.proved_at',
  't.proved_by_name',
  't.skipped_at',
  't.skipped_by_name',
  'p.name as printer',
] as const

const tests = (db: Db, company_id: number) =>
  db
    .selectFrom('printer_self_tests as t')
    .innerJoin('printers as p', 'p.id', 't.printer_id')
    .select(testColumns)
    .where('t.company_id', '=', company_id)

type Row = Awaited<ReturnType<ReturnType<typeof tests>['executeTakeFirstOrThrow']>>

function testOf({ number, day: _day, skipped_at, ...row }: Row, now: Date): SelfTest {
  const state: SelfTestState =
    row.proved_at !== null
      ? 'proved'
      : skipped_at !== null
        ? 'skipped'
        : now.getTime() - Date.parse(row.asked_at) > scanMinutes * 60_000
          ? 'missed'
          : 'waiting'
  return { ...row, state, code: testCode(number) }
}

export async function selfTestById(db: Db, company_id: number, id: number, now: Date): Promise<SelfTest | undefined> {
  const row = await tests(db, company_id).where('t.id', '=', id).executeTakeFirst()
  return row && testOf(row, now)
}

/** A company's stations with their schedules and last tests; with `id` only this station. */
export async function stationSelfTests(db: Db, company_id: number, now: Date, id?: number): Promise<StationSelfTest[]> {
  const stations = await stationsWithPrinters(db, company_id, id)
  const schedules = await db
    .selectFrom('station_self_tests')
    .select(['station_id', 'at', 'days', 'asks'])
    .where('company_id', '=', company_id)
    .execute()
  const last = await tests(db, company_id)
    .distinctOn('t.station_id')
    .orderBy('t.station_id')
    .orderBy('t.id', 'desc')
    .$if(id !== undefined, rows => rows.where('t.station_id', '=', id ?? 0))
    .execute()
  return stations.map(({ station_id, station, printers }) => {
    const schedule = schedules.find(one => one.station_id === station_id)
    const test = last.find(one => one.station_id === station_id)
    const chosen = choosePrinter('test', { roles: printers })
    return {
      station_id,
      station,
      printer: printers.find(one => one.printer_id === chosen?.printer_id)?.printer ?? null,
      schedule: schedule ? { at: schedule.at, days: schedule.days, asks: schedule.asks } : null,
      last: test ? testOf(test, now) : null,
    }
  })
}

export async function testOfToday(
  db: Db,
  { company_id, station, day, now }: { company_id: number; station: string; day: string; now: Date },
): Promise<{ today: SelfTest | null; asks: boolean }> {
  const row = await tests(db, company_id)
    .innerJoin('stations as s', 's.id', 't.station_id')
    .leftJoin('station_self_tests as w', join => join.onRef('w.station_id', '=', 't.station_id').onRef('w.company_id', '=', 't.company_id'))
    .select('w.asks')
    .where(eb => eb(eb.fn<string>('lower', ['s.name']), '=', station.toLowerCase()))
    .where('t.day', '=', day)
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return { today: null, asks: false }
  const { asks, ...test } = row
  const today = testOf(test, now)
  return { today, asks: (asks ?? false) && (today.state === 'waiting' || today.state === 'missed') }
}

interface DueTest {
  operator_id: number
  company_id: number
  station_id: number
  day: string
}

/** Hours after which a test of the morning is not printed any more, when no server ran meanwhile. */
const lateHours = 4

/** Stations whose page is due by their company's clock and was not printed today, of all operators: only the system role sees them. */
export async function dueSelfTests(db: Db, now: Date): Promise<DueTest[]> {
  const { rows } = await sql<DueTest>`
    select w.operator_id, w.company_id, w.station_id, local.day::date::text as day
    from station_self_tests w
    join companies c on c.operator_id = w.operator_id and c.id = w.company_id
    cross join lateral (select ${now.toISOString()}::timestamptz at time zone coalesce(c.settings ->> 'time_zone', 'Europe/Copenhagen') as day) local
    where extract(isodow from local.day)::int = any (w.days)
      and local.day >= local.day::date + w.at::time
      and local.day < local.day::date + w.at::time + ${lateHours} * interval '1 hour'
      and not exists (select from printer_self_tests t where t.operator_id = w.operator_id and t.company_id = w.company_id
        and t.station_id = w.station_id and t.day = local.day::date and t.scheduled)
    limit 200`.execute(db)
  return rows
}
