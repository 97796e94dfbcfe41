/**
 * A month of 200 people with ten million events: its pay list from the daily figures, and its timesheet. `--events N` tries fewer: the row then
 * says that the goal was not tried.
 */
import type { BenchApp, Tenant } from '../bench-app.ts'
import { ms, once, percentiles, type Row } from '../measure.ts'

export const people = 200
/** What the goal speaks of. */
export const allEvents = 10_000_000
const step = 1_000_000
const from = '2026-10-01'
const to = '2026-10-31'
const days = 31

/** Days, the last included. */
interface Period {
  from: string
  to: string
}

export interface Scope {
  operator_id: number
  company_id: number
}

/** Shifts of these days: one a day of each of the people whose employee numbers the bench has given. */
const shiftsOf = (from: string, to: string) =>
  `(select u.user_id, d::date as day, d + interval '4 hours' as starts from ${staff} u
    cross join generate_series(timestamptz '${from} 00:00Z', timestamptz '${to} 00:00Z', interval '1 day') d)`
const staff = `(select id as user_id from users where operator_id = $1 and company_id = $2 and employee_no ~ '^2')`

/** Staff on commission, each with a shift and three punches on each of these days; all of it invented by number. */
export async function fillStaff({ plain }: BenchApp, { operator_id, company_id }: Scope, { from, to }: Period): Promise<void> {
  const by = [operator_id, company_id]
  await plain.query(
    `insert into users (operator_id, company_id, name, employee_no) select $1, $2, 'Person ' || n, (2000 + n)::text from generate_series(1, ${people}) n`,
    by,
  )
  const shift = shiftsOf(from, to)
  await plain.query(
    `insert into pay_terms (operator_id, company_id, user_id, valid_from, salary_type, rate, floor_rate, made_by)
     select $1, $2, user_id, date '2026-01-01', 'commission', 0, 15000, 'bench' from ${staff} u`,
    by,
  )
  await plain.query(
    `insert into pay_rules (operator_id, company_id, client_id, kind, name, valid_from, unit, rate_micro, pay_code, made_by)
     values ($1, $2, gen_random_uuid(), 'tariff', 'Pieces', '2026-01-01', 'pick_piece', 100000, '30', 'bench')`,
    by,
  )
  await plain.query(
    `insert into schedule_entries (operator_id, company_id, kind, user_id, work_date, start_at, end_at, break_s, state,
       published_user_id, published_date, published_start_at, published_end_at, published_break_s)
     select $1, $2, 'shift', user_id, day, starts, starts + interval '8 hours', 1800, 'published', user_id, day, starts, starts + interval '8 hours', 1800
     from ${shift} s`,
    by,
  )
  await plain.query(
    `insert into punches (operator_id, company_id, user_id, work_date, type, started_at, ended_at, state, source, way)
     select $1, $2, user_id, day, k.type, starts + k.begins, starts + k.ends, 'closed', 'kiosk', 'badge' from ${shift} s
       cross join (values ('work', interval '-3 minutes', interval '4 hours'), ('break', interval '4 hours', interval '4 hours 30 minutes'),
         ('work', interval '4 hours 30 minutes', interval '8 hours 2 minutes')) k (type, begins, ends)`,
    by,
  )
}

/** Approved hours of each of these days. */
export async function approveHours({ plain }: BenchApp, { operator_id, company_id }: Scope, { from, to }: Period): Promise<void> {
  await plain.query(
    `insert into timesheet_days (operator_id, company_id, user_id, work_date, state, intervals, paid_s, from_versions, approved_by_name, approved_at, auto)
     select $1, $2, user_id, day, 'approved', jsonb_build_array(
         jsonb_build_object('from', e * 1000, 'to', (e + 14400) * 1000, 'type', 'work', 'paid', true),
         jsonb_build_object('from', (e + 16200) * 1000, 'to', (e + 28800) * 1000, 'type', 'work', 'paid', true)),
       27000, '{}', 'bench', now(), true
     from (select *, extract(epoch from starts)::bigint e from ${shiftsOf(from, to)} s) s`,
    [operator_id, company_id],
  )
}

async function fillEvents({ plain }: BenchApp, { operator_id, company_id }: Scope, events: number): Promise<void> {
  const client = await plain.connect()
  try {
    // The wagons that events name are not made: only the events count here.
    await client.query(`set session_replication_role = 'replica'; set synchronous_commit = off`)
    for (let at = 0; at < events; at += step)
      await client.query(
        `with staff as (select id, row_number() over (order by id) - 1 as place from users where operator_id = $1 and company_id = $2 and employee_no ~ '^2')
         insert into pick_scans (operator_id, id, pick_list_id, wagon_no, pick_line_id, order_id, order_company_id, kind, result, quantity, user_id, user_name, at)
         select $1, gen_random_uuid(), 1, n / 40 % 1000 + 1, n + 1, n / 4 + 1, $2, k.kind, k.result, k.quantity * (1 + n % 3), s.id, 'Person',
           timestamptz '${from} 00:00Z' + (n / ${people}) * interval '${days - 1} days' / (${events / people})
         from generate_series($3::integer, $4::integer - 1) n
           join staff s on s.place = n % ${people}
           cross join lateral (select case when n % 400 < 200 then 'product' else 'pick' end kind, case when n % 400 < 200 then 'noted' else 'line_done' end result,
             case when n % 400 < 200 then 0 else 1 end quantity) k`,
        [operator_id, company_id, at, Math.min(at + step, events)],
      )
    await client.query('reset session_replication_role; reset synchronous_commit')
  } finally {
    client.release()
  }
  await plain.query('vacuum (analyze) pick_scans')
  await plain.query('analyze users, punches, schedule_entries, timesheet_days, pay_terms')
}

export async function payroll(testApp: BenchApp, events = allEvents): Promise<Row[]> {
  const tenant: Tenant = await testApp.newTenant()
  await fillStaff(testApp, tenant.scope, { from, to })
  await approveHours(testApp, tenant.scope, { from, to })
  await fillEvents(testApp, tenant.scope, events)
  const server = await testApp.server()
  const ask = async (path: string): Promise<{ took: number; text: string }> => {
    const began = performance.now()
    const { status, text } = await once(undefined, '127.0.0.1', server.port, {
      path: `/api/${tenant.main.code}/${path}`,
      headers: { host: `${tenant.main.code}.localhost`, authorization: tenant.token },
    })
    if (status >= 400) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
    return { took: performance.now() - began, text }
  }
  const list = `statistics/pay_list/from/${from}/to/${to}`
  // The nightly task counts a day once; here the first list does so for the month.
  const counting = await ask(list)
  const [pays, sums, sheets]: [number[], number[], number[]] = [[], [], []]
  let summed = 0
  let counted = 0
  for (let repetition = 0; repetition < 3; repetition++) {
    const began = performance.now()
    const { rows } = await testApp.plain.query<{ pieces: number }>(
      `select user_id, (at at time zone 'Europe/Copenhagen')::date as day, sum(quantity)::integer pieces, count(distinct pick_line_id) lines
       from pick_scans where operator_id = $1 and kind = 'pick' group by 1, 2`,
      [tenant.scope.operator_id],
    )
    sums.push(performance.now() - began)
    summed = rows.reduce((sum, row) => sum + row.pieces, 0)
    const { rows: daily } = await testApp.plain.query<{ pieces: number }>(
      'select coalesce(sum(pieces), 0)::integer pieces from work_daily where operator_id = $1 and company_id = $2',
      [tenant.scope.operator_id, tenant.scope.company_id],
    )
    counted = daily[0]?.pieces ?? 0
    pays.push((await ask(list)).took)
    sheets.push((await ask(`timesheet/from/${from}/to/${to}`)).took)
  }
  const [pay, sum, sheet] = [percentiles(pays).p50, percentiles(sums).p50, percentiles(sheets).p50]
  const paid = (JSON.parse(counting.text) as { rows: unknown[] }).rows.length
  const tried = events >= allEvents ? '' : ` (not tried: ${events.toLocaleString('en')} of ${allEvents.toLocaleString('en')})`
  return [
    {
      name: 'pay-count',
      what: `${days} days counted once, as the night does, with the first list`,
      ours: ms(counting.took),
      limit: `${ms(sum)} summing the events`,
      ratio: `${Math.round(events / (counting.took / 1_000)).toLocaleString('en')} events/s`,
      goal: 'none: at night',
      ok: counted === summed,
    },
    {
      name: 'pay-list',
      what: `a month of ${paid} people, ${events.toLocaleString('en')} events`,
      ours: ms(pay),
      limit: `${ms(sum)} summing the events`,
      ratio: counted === summed ? `${Math.round(sum / pay)} times as fast` : `${counted} pieces of ${summed}`,
      goal: `< 2 s${tried}`,
      ok: pay < 2_000 && counted === summed && paid === people,
    },
    {
      name: 'timesheet',
      what: `a month of ${people} people`,
      ours: ms(sheet),
      limit: '300 ms',
      ratio: `${(sheet / 300).toFixed(2)} of it`,
      goal: '< 300 ms',
      ok: sheet < 300,
    },
  ]
}
