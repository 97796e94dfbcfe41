/** The rules of a company, and the method that they choose for stored orders. */
import { type ChosenMethod, type MethodChooser, methodChooser } from '#domain/rules/method-choice.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { type OrderWithFacts, ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { MethodRule } from './method-rules.schemas.ts'

const columns = ['id', 'position', 'name', 'conditions', 'agent_code', 'shipping_method', 'active', 'version'] as const

export async function methodRulesOf(db: Db, company_id: number): Promise<MethodRule[]> {
  const rows = await db.selectFrom('method_rules').select(columns).where('company_id', '=', company_id).orderBy('position').execute()
  return rows.map(row => ({
    ...row,
    conditions: RuleJson.catch({ v: 1, all: [] }).parse(row.conditions),
    broken: parseRule(row.conditions, 'shipping_method').errors !== undefined,
  }))
}

async function chooserOf(db: Db, company_id: number): Promise<MethodChooser> {
  const methods = db.selectFrom('shipping_methods').select(['agent_code', 'shipping_method', 'shop_codes']).where('active', '=', true)
  return methodChooser(
    await methods.where('company_id', '=', company_id).orderBy('agent_code').orderBy('shipping_method').execute(),
    (await methodRulesOf(db, company_id)).filter(rule => rule.active),
  )
}

/** What the rules of its company choose for each order now; orders of several companies are looked at together. */
export async function chosenMethods(
  db: Db,
  ids: readonly number[],
  now: Date,
): Promise<{ order: OrderWithFacts; method: ChosenMethod | null }[]> {
  const companies = await db
    .selectFrom('orders')
    .select(['id', 'company_id'])
    .where('id', 'in', [...ids, 0])
    .execute()
  const chosen: { order: OrderWithFacts; method: ChosenMethod | null }[] = []
  for (const [company_id, some] of Map.groupBy(companies, order => order.company_id)) {
    const chooser = await chooserOf(db, company_id)
    const orders = await ordersWithFacts(
      db,
      some.map(order => order.id),
      chooser.fields,
    )
    for (const order of orders) chosen.push({ order, method: chooser.choose(order.facts, { now, zone: order.zone, not_compared: 0 }) })
  }
  return chosen
}
