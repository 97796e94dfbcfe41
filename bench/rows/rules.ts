/** Rules: fifty of them over a thousand orders, in the processor alone and with what they read of the orders. */
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import { type ParsedRule, parseRule } from '#domain/rules/rule-grammar.ts'
import { ordersWithFacts } from '../../src/features/orders/order-rules/order-facts.queries.ts'
import { chosenMethods } from '../../src/features/shipping/shipping-methods/method-rules.queries.ts'
import type { BenchApp, Tenant } from '../bench-app.ts'
import { largeCompany } from '../large-company.ts'
import { median, ms, type Row, timed } from '../measure.ts'
import { anyIds } from '../requests.ts'

const rules = 50
const orders = 1_000
const turns = 5

/** Five shapes, from one comparison to a group over the lines; few orders meet one. */
export const ruleOf = (n: number): { v: 1; all: object[] } => {
  const shapes: object[][] = [
    [{ field: 'ship.country', op: 'in', value: ['NO', 'SE', 'DE'] }],
    [
      { field: 'order.weight', op: 'gt', value: 5_000 + n * 100 },
      { field: 'ship.postcode', op: 'between', value: [String(9_900 + n), '9999'] },
    ],
    [{ lines: 'some', match: { field: 'line.sku', op: 'starts', value: `RARE-${n}` } }],
    [
      {
        any: [
          { field: 'ship.city', op: 'eq', value: `Nowhere ${n}` },
          { field: 'order.item_count', op: 'gt', value: 40 + n },
        ],
      },
    ],
    [
      { not: { field: 'order.value', op: 'lt', value: { amount: 100_000 + n, currency: 'DKK' } } },
      { field: 'ship.company', op: 'contains', value: 'A/S' },
    ],
  ]
  return { v: 1, all: shapes[n % shapes.length] ?? [] }
}

/** Rules that choose the method, as they are stored. */
async function fill({ plain }: BenchApp, { scope }: Tenant): Promise<void> {
  const given = [scope.operator_id, scope.company_id]
  await plain.query(
    `insert into method_rules (operator_id, company_id, position, conditions, agent_code, shipping_method)
     select $1, $2, ordinality, conditions, 'own', 'van' from jsonb_array_elements($3::jsonb) with ordinality r(conditions, ordinality)`,
    [...given, JSON.stringify(Array.from({ length: rules }, (_, n) => ruleOf(n)))],
  )
  await plain.query(
    `insert into shipping_methods (operator_id, company_id, agent_code, shipping_method, name) values ($1, $2, 'own', 'van', 'Van') on conflict do nothing`,
    given,
  )
  await plain.query('analyze method_rules')
}

const mustBeRule = ({ rule, errors }: ParsedRule) => {
  if (!rule) throw new Error(`A rule of the benchmark cannot be read: ${JSON.stringify(errors)}`)
  return rule
}

export async function ruleEvaluation(testApp: BenchApp): Promise<Row[]> {
  const { tenant } = await largeCompany(testApp)
  await fill(testApp, tenant)
  const ids = (await anyIds(testApp, tenant)).slice(0, orders)
  const now = new Date()
  const compiled = Array.from({ length: rules }, (_, n) => compileRule(mustBeRule(parseRule(ruleOf(n), 'shipping_method'))))
  const fields = new Set(compiled.flatMap(rule => [...rule.fields]))
  const facts = await testApp.database.readOnly(tenant.scope, db => ordersWithFacts(db, ids, fields))
  const used: number[] = []
  let met = 0
  for (let turn = 0; turn < turns; turn++) {
    const measured = timed(() =>
      facts.reduce(
        (sum, order) => sum + compiled.filter(rule => rule.matches(order.facts, { now, zone: order.zone, not_compared: 0 })).length,
        0,
      ),
    )
    used.push(measured.used)
    met = measured.answer
  }
  const whole: number[] = []
  const reads: number[] = []
  let looked = 0
  for (let turn = 0; turn < turns; turn++) {
    let from = performance.now()
    await testApp.plain.query(
      `select o.*, (select json_agg(l) from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id) from orders o
       where o.operator_id = $1 and o.id = any ($2::bigint[])`,
      [tenant.scope.operator_id, ids],
    )
    reads.push(performance.now() - from)
    from = performance.now()
    looked = (await testApp.database.readOnly(tenant.scope, db => chosenMethods(db, ids, now))).length
    whole.push(performance.now() - from)
  }
  const [alone, all, read] = [median(used), median(whole), median(reads)]
  return [
    {
      name: 'rules',
      what: `${rules} rules over ${facts.length.toLocaleString('en')} orders, processor time`,
      ours: ms(alone),
      limit: '',
      ratio: `${met.toLocaleString('en')} met`,
      goal: '≤ 50 ms',
      ok: alone <= 50 && facts.length === orders,
    },
    {
      name: 'rules',
      what: `methods chosen for ${looked.toLocaleString('en')} orders by ${rules} rules, with reads`,
      ours: ms(all),
      limit: `${ms(read)} one read of the orders`,
      ratio: `${(all / read).toFixed(1)}×`,
      goal: '≤ 250 ms',
      ok: all <= 250 && looked === orders,
    },
  ]
}
