/** The board of deadlines, the figures of the start page and the public ones, of a company with as many orders as all others together. */
import { forecast, type PickupQueue } from '#optimization/forecast/forecast.ts'
import type { BenchApp, Server, Tenant } from '../bench-app.ts'
import { largeCompany } from '../large-company.ts'
import { load, median, ms, type Row, timed } from '../measure.ts'
import { anyIds, api, asAdmin, ask, lookupServer } from '../requests.ts'

const pickups = 8
/** Orders that wait; at less than 400 thousand all that are ready. */
const waiting = 20_000
/** The minutes over which they came in: three days. */
const waitingMinutes = 4_320
const people = 40
const shops = 49
/** Days of scans that are filled in, and days of work figures. */
const scanDays = 7
const workDays = 56

interface ShownBoard {
  rows: { deadline_id: number; due_at: string | null; total: number }[]
}

/** A year of arrivals, the youngest now; each packed after three hours and handed over after four, to the pickups of its day. */
async function fill({ plain, orders }: BenchApp, { scope }: Tenant): Promise<void> {
  const given = [scope.operator_id, scope.company_id]
  await plain.query(
    `insert into companies (operator_id, code, name, is_main) select $1, 'bench-shop' || n, 'Shop ' || n, false from generate_series(1, ${shops}) n`,
    given.slice(0, 1),
  )
  await plain.query(
    `insert into deadlines (operator_id, client_id, name, weekdays, cut_off, pickup_time, target, time_zone)
     select $1, gen_random_uuid(), 'Pickup ' || n, '{1,2,3,4,5,6,7}', '12:00', lpad((14 + n)::text, 2, '0') || ':00',
       case when n % 2 = 0 then 'packed' else 'handed_over' end, 'Europe/Copenhagen' from generate_series(1, ${pickups}) n`,
    given.slice(0, 1),
  )
  await plain.query(
    `insert into users (operator_id, company_id, name, employee_no) select $1, $2, 'Packer ' || n, (4000 + n)::text from generate_series(1, ${people}) n`,
    given,
  )
  await plain.query(
    `with d as (select array_agg(id order by id) ids from deadlines where operator_id = $1),
       n as (select id, row_number() over (order by id desc) place from orders where operator_id = $1 and company_id = $2)
     update orders o set created_at = now() - n.place * interval '365 days' / $3::integer, deadline_id = d.ids[1 + o.id % ${pickups}],
       deadline_at = date_trunc('day', now() - n.place * interval '365 days' / $3::integer) + (14 + o.id % ${pickups}) * interval '1 hour'
     from n, d where o.operator_id = $1 and o.id = n.id and o.phase <> 'ready'`,
    [...given, orders],
  )
  // What waits came in over the last days.
  await plain.query(
    `update orders set created_at = now() - (id % ${waitingMinutes}) * interval '1 minute' where operator_id = $1 and company_id = $2 and phase = 'ready'`,
    given,
  )
  await plain.query(
    `update shipments s set handed_over_at = o.created_at + interval '4 hours' from orders o
     where s.operator_id = $1 and o.operator_id = $1 and o.id = s.order_id and s.handed_over_at is not null`,
    given.slice(0, 1),
  )
  const staff = `(select array_agg(id order by id) ids from users where operator_id = $1 and employee_no ~ '^4')`
  await plain.query(
    `insert into packing_sessions (operator_id, company_id, order_id, user_id, user_name, station, state, opened_at, ended_at)
     select $1, $2, o.id, s.ids[1 + o.id % ${people}], 'Packer', 'A', 'done', o.created_at, least(now(), o.created_at + interval '3 hours')
     from orders o, ${staff} s where o.operator_id = $1 and o.company_id = $2 and o.phase in ('packed', 'handed_over')`,
    given,
  )
  await plain.query(
    `insert into packing_scans (operator_id, company_id, id, session_id, order_id, raw, result, quantity, user_id, station, at)
     select $1, $2, gen_random_uuid(), p.id, p.order_id, 'x', 'ok', 1, p.user_id, 'A', p.ended_at - k * interval '20 seconds'
     from packing_sessions p cross join generate_series(0, 2) k where p.operator_id = $1 and p.ended_at > now() - interval '${scanDays} days'`,
    given,
  )
  await plain.query(
    `insert into work_daily (operator_id, company_id, user_id, day, kind, orders, lines, pieces, grams, wagons, scans, wrong, shorts, wagon_claims, active_s, break_s)
     select $1, $2, unnest(s.ids), d::date, k, 120, 300, 340, 90000, 10, 400, 3, 1, 10, 20000, 1800
     from ${staff} s, generate_series(now() - interval '${workDays} days', now() - interval '1 day', interval '1 day') d, unnest(array['pick', 'pack']) k`,
    given,
  )
  await countHours(plain, given)
  await plain.query('vacuum (analyze) orders, shipments, packing_sessions, packing_scans, deadlines, activity_hours, work_daily')
}

/** What the task counts: ended days at night, and today's ended quarters of an hour, the last of them as long ago as it may be. */
async function countHours(plain: BenchApp['plain'], given: unknown[]): Promise<void> {
  await plain.query(
    `insert into activity_hours (operator_id, company_id, at, metric, agent_code, n)
     select $1, $2, date_trunc('hour', c.moment, 'Europe/Copenhagen'), c.metric, c.agent_code, count(*) from (
       select created_at moment, 'received' metric, '' agent_code from orders where operator_id = $1
       union all
       select p.ended_at, m, '' from packing_sessions p, unnest(array['packed', 'packed_on_time']) m where p.operator_id = $1
       union all
       select handed_over_at, 'handed_over', agent_code from shipments where operator_id = $1 and handed_over_at is not null) c
     where c.moment < date_bin('15 minutes', now() - interval '20 minutes', 'epoch') group by 3, 4, 5`,
    given,
  )
  await plain.query(
    `insert into activity_days (operator_id, company_id, day, counted_at, counted_until)
     select $1, $2, (now() at time zone 'Europe/Copenhagen')::date - n, now(),
       case when n = 0 then date_bin('15 minutes', now() - interval '20 minutes', 'epoch') end from generate_series(0, 400) n`,
    given,
  )
}

/** The writes of the product count; those of this file do not. */
async function countByDeadline({ plain }: BenchApp, { scope }: Tenant): Promise<void> {
  await plain.query('delete from deadline_counts where operator_id = $1', [scope.operator_id])
  await plain.query(
    `insert into deadline_counts (operator_id, company_id, deadline_id, deadline_at, phase, n, work)
     select operator_id, company_id, deadline_id, deadline_at, phase, count(*), sum(least(500, 100 + 15 * greatest(0, item_count - 1)))
     from orders where operator_id = $1 and deadline_id is not null
       and (phase in ('new', 'ready', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'label_error', 'packed') or deadline_at > now() - interval '7 days')
     group by 1, 2, 3, 4, 5`,
    [scope.operator_id],
  )
  // The schedule of the server counts new companies within seconds.
  await plain.query(
    `insert into order_count_checks (operator_id, company_id, checked_at, by_deadline) select operator_id, id, now(), true from companies where operator_id = $1
     on conflict (operator_id, company_id) do update set by_deadline = true`,
    [scope.operator_id],
  )
  await plain.query('vacuum (analyze) deadline_counts, order_count_checks')
}

/** Gives what waits to the next pickups, and these a burn-down of the last hours. Answers how many orders wait. */
async function fillPickups(testApp: BenchApp, tenant: Tenant, { rows }: ShownBoard): Promise<number> {
  const [{ plain }, { scope }] = [testApp, tenant]
  const given = [scope.operator_id, rows.map(row => row.deadline_id), rows.map(row => row.due_at)]
  const { rowCount } = await plain.query(
    `with d as (select *, row_number() over () - 1 place from unnest($2::bigint[], $3::timestamptz[]) d(id, due_at)),
       w as (select id from orders where operator_id = $1 and phase = 'ready' order by id desc limit ${waiting})
     update orders o set deadline_id = d.id, deadline_at = d.due_at, created_at = now() - interval '2 hours' from d, w
     where o.operator_id = $1 and o.id = w.id and d.place = o.id / 20 % ${pickups}`,
    given,
  )
  await plain.query(
    `insert into deadline_points (operator_id, deadline_id, due_at, at, remaining)
     select $1, d.id, d.due_at, date_trunc('minute', now()) - n * interval '1 minute', 1000 + n
     from unnest($2::bigint[], $3::timestamptz[]) d(id, due_at), generate_series(1, 360) n on conflict do nothing`,
    given,
  )
  await countByDeadline(testApp, tenant)
  await plain.query('vacuum (analyze) orders, deadline_points')
  return rowCount ?? 0
}

export async function board(testApp: BenchApp): Promise<Row[]> {
  const { tenant } = await largeCompany(testApp)
  await fill(testApp, tenant)
  const server = await testApp.server()
  const path = 'deadlines/dashboard_data/internal'
  const wait = await fillPickups(testApp, tenant, await ask<ShownBoard>(server.port, tenant, 'GET', path))
  const shown = await ask<ShownBoard>(server.port, tenant, 'GET', path)
  const due = shown.rows.reduce((sum, row) => sum + row.total, 0)
  if (shown.rows.length !== pickups || due < wait)
    throw new Error(`The board shows ${due} of ${wait} orders in ${shown.rows.length} pickups`)
  const today = new Date().toISOString().slice(0, 10)
  const month = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10)
  const all = testApp.orders.toLocaleString('en')
  return [
    ...(await answers(testApp, server, tenant, [
      [`board of ${pickups} pickups, ${wait.toLocaleString('en')} waiting among ${all}`, path],
      ['figures of today on the start page', `dashboard/home?from=${today}&to=${today}`],
      ['figures of thirty days, with those before', `dashboard/home?from=${month}&to=${today}`],
    ])),
    forecastOf(50),
  ]
}

async function answers(testApp: BenchApp, server: Server, tenant: Tenant, places: [string, string][]): Promise<Row[]> {
  const ids = await anyIds(testApp, tenant)
  const lookup = await lookupServer(testApp, tenant)
  const rows: Row[] = []
  for (const [what, path] of places) {
    const limits: number[] = []
    const ours: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      limits.push((await load(lookup.url, 1, 2, n => ({ path: `/orders/${ids[n % ids.length]}` }))).p95)
      ours.push((await load(server.url, 1, 3, () => ({ path: api(tenant, path), headers: asAdmin(tenant) }))).p95)
    }
    const [limit, took] = [median(limits), median(ours)]
    rows.push({
      name: 'board',
      what: `${what}, p95`,
      ours: ms(took),
      limit: `${ms(limit)} Fastify and one look-up`,
      ratio: `${(took / limit).toFixed(1)}×`,
      goal: '≤ 50 ms',
      ok: took <= 50,
    })
  }
  await lookup.close()
  return rows
}

/** So many pickups over a day, with work that does not end before. */
function forecastOf(count: number): Row {
  const now = Date.parse('2026-11-16T06:00:00Z')
  const hours = (n: number) => now + n * 3_600_000
  const queues = Array.from(
    { length: count },
    (_, place): PickupQueue => ({
      due: hours(2 + (place * 22) / count),
      target: place % 2 === 0 ? 'packed' : 'handed_over',
      ready: 400,
      picked: 40,
      packed: 20,
      unit: 1.2,
    }),
  )
  const crew = Array.from({ length: people }, (_, n) => ({
    stage: (['pack', 'pick', 'out'] as const)[n % 3] ?? 'pack',
    from: hours(n % 4),
    until: hours(24),
  }))
  const situation = { now, queues, people: crew, rates: { pack: 20, pick: 25, out: 90 } }
  const used: number[] = []
  for (let turn = 0; turn < 50; turn++) used.push(timed(() => forecast(situation)).used)
  const took = median(used)
  return {
    name: 'board',
    what: `forecast of ${count} pickups over a day, processor time`,
    ours: ms(took),
    limit: '',
    ratio: '',
    goal: '≤ 5 ms',
    ok: took <= 5,
  }
}
