/** Opening an order at a station: the rules of approval are read and judged once, so fifty of them may cost little. */
import { type BenchApp, fillTenant, type Tenant, worker } from '../bench-app.ts'
import { median, ms, type Row } from '../measure.ts'
import { asker, post, type Station } from './packing.ts'
import { ruleOf } from './rules.ts'

const rules = 50
/** Of these orders one in twenty waits to be packed. */
const orders = 4_000
const turns = 6
const most = 1.5

async function tenantWith(testApp: BenchApp, count: number): Promise<{ tenant: Tenant; ids: number[] }> {
  const tenant = await testApp.newTenant()
  const { operator_id, company_id } = tenant.scope
  await fillTenant(testApp.plain, tenant.scope, 0, orders)
  await testApp.plain.query(
    `insert into approval_rules (operator_id, company_id, name, conditions, subject, methods, approver_codes, position)
     select $1, $2, 'Rule ' || ordinality, conditions, 'line', '{pin}', '{scan_admin}', ordinality
     from jsonb_array_elements($3::jsonb) with ordinality r(conditions, ordinality)`,
    [operator_id, company_id, JSON.stringify(Array.from({ length: count }, (_, n) => ruleOf(n)))],
  )
  await testApp.plain.query('analyze orders, order_lines, products, approval_rules')
  const { rows } = await testApp.plain.query<{ id: number }>(
    `select id from orders where operator_id = $1 and work_state = 'ready' order by id`,
    [operator_id],
  )
  return { tenant, ids: rows.map(row => row.id) }
}

export async function sessionOpened(testApp: BenchApp): Promise<Row[]> {
  const ask = await asker(testApp)
  const sides = await Promise.all(
    [0, rules].map(async count => {
      const { tenant, ids } = await tenantWith(testApp, count)
      const station: Station = { tenant, token: await worker(testApp.database, tenant.scope), station: 'O1', order: 0, codes: [] }
      return { station, ids, took: [] as number[] }
    }),
  )
  const each = Math.min(...sides.map(side => side.ids.length))
  for (let turn = 0; turn < turns; turn++)
    for (let n = 0; n < each; n++)
      for (const { station, ids, took } of sides) {
        const from = performance.now()
        await ask(post(station, `packing/order_start/${ids[n]}`, { station: station.station }))
        // The first ones are the compiler's work.
        if (turn > 0) took.push(performance.now() - from)
        await ask(post(station, `packing/order/${ids[n]}/abort`, { empty: true }))
      }
  const [without = 0, withRules = 0] = sides.map(side => median(side.took))
  return [
    {
      name: 'session-opened',
      what: `an order opened at a station with ${rules} rules of approval, p50`,
      ours: ms(withRules),
      limit: `${ms(without)} without rules`,
      ratio: `${(withRules / without).toFixed(2)}×`,
      goal: `≤ ${most}×`,
      ok: withRules <= without * most,
    },
  ]
}
