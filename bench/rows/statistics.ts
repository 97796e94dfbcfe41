/** Statistics: a month of picking, asked as the screen asks. */

import type { BenchApp, Tenant } from '../bench-app.ts'
import { ms, once, percentiles, type Row } from '../measure.ts'

const picks = 100_000
const days = 31
const pickers = 40

/** A month in October: wagons of 40 picks, each a scan of the product and the pieces put into a slot; all of it invented by number. */
async function fillMonth(testApp: BenchApp, { scope }: Tenant): Promise<void> {
  const { operator_id, company_id } = scope
  const wagons = picks / 40
  await testApp.plain.query(
    `insert into pick_lists (operator_id, id, type, state, wagon_type, order_count, line_count, piece_count, stop_count) overriding system value
     values ($1, 1, 'cluster', 'completed', '{}', 1, 1, 1, 1)`,
    [operator_id],
  )
  await testApp.plain.query(
    `insert into pick_wagons (operator_id, pick_list_id, wagon_no, state, user_id, user_name, walk_dm, picked_at)
     select $1, 1, n + 1, 'released', 1 + n % $2::integer, 'Picker ' || n % $2::integer, 4000,
       timestamptz '2026-10-01 09:00Z' + (n / $2::integer) * interval '1 day' / ($3::numeric / $2::integer / $4::integer)
     from generate_series(0, $3::integer - 1) n`,
    [operator_id, pickers, wagons, days],
  )
  await testApp.plain.query(
    `insert into pick_scans (operator_id, id, pick_list_id, wagon_no, pick_line_id, order_id, order_company_id, kind, result, quantity, user_id, user_name, at)
     select $1, gen_random_uuid(), 1, n / 40 + 1, n + 1, n / 4 + 1, $2, k.kind, k.result, case k.kind when 'pick' then 1 + n % 3 else 0 end,
       1 + (n / 40) % $3::integer, 'Picker ' || (n / 40) % $3::integer,
       timestamptz '2026-10-01 06:00Z' + (n / 40 / $3::integer * 40 + n % 40) * $4::integer * interval '1 day' / ($5::integer / $3::integer + 40) + k.later
     from generate_series(0, $5::integer - 1) n
       cross join (values ('product', 'noted', interval '0 s'), ('pick', 'line_done', interval '4 s')) k(kind, result, later)`,
    [operator_id, company_id, pickers, days - 1, picks],
  )
  await testApp.plain.query('analyze pick_scans, pick_wagons')
}

export async function statistics(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const tenant = testApp.tenants[8] as Tenant
  await fillMonth(testApp, tenant)
  const took: number[] = []
  const limits: number[] = []
  let pieces = 0
  let counted = 0
  for (let repetition = 0; repetition < 3; repetition++) {
    let from = performance.now()
    const { rows } = await testApp.plain.query<{ pieces: number }>(
      `select user_id, at::date as day, sum(quantity)::integer pieces, count(distinct pick_line_id) lines, count(distinct order_id) orders
       from pick_scans where operator_id = $1 and at >= '2026-10-01' and at < '2026-11-01' and kind = 'pick' group by user_id, at::date`,
      [tenant.scope.operator_id],
    )
    limits.push(performance.now() - from)
    counted = rows.reduce((sum, row) => sum + row.pieces, 0)
    from = performance.now()
    const { status, text } = await once(undefined, '127.0.0.1', server.port, {
      path: `/api/${tenant.main.code}/statistics/pick_list/from/2026-10-01/to/2026-10-31`,
      headers: { host: `${tenant.main.code}.localhost`, authorization: tenant.token },
    })
    took.push(performance.now() - from)
    if (status >= 400) throw new Error(`statistics: ${status} ${text.slice(0, 300)}`)
    pieces = (JSON.parse(text) as { rows: { pieces: number }[] }).rows.reduce((sum, row) => sum + row.pieces, 0)
  }
  const ours = percentiles(took).p50
  const limit = percentiles(limits).p50
  return [
    {
      name: 'statistics',
      what: `picking of a month, ${picks.toLocaleString('en')} picks`,
      ours: ms(ours),
      limit: `${ms(limit)} one plain statement`,
      ratio: pieces === counted ? `${pieces.toLocaleString('en')} pieces in both` : `${pieces} pieces of ${counted}`,
      goal: '< 1 s',
      ok: ours < 1_000 && pieces === counted,
    },
  ]
}
