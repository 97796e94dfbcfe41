/** What the suggestion of crates reads: open items with sizes, the crates that are offered, and the rules that hold for the order. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { ItemRules, ItemToPack, OfferedCrate } from './crate-choice.rules.ts'

export interface CrateInput {
  crates: OfferedCrate[]
  items: ItemToPack[]
  /** Of the crates. */
  currency: string | null
}

export async function crateInput(db: Db, order_id: number, now: Date): Promise<CrateInput> {
  const order = orNotFound(
    await db.selectFrom('orders').select(['company_id', 'agent_code']).where('id', '=', order_id).executeTakeFirst(),
    'order_not_found',
    'Order not found',
  )
  const { crates, currency } = await cratesFor(db, order.company_id, order.agent_code)
  const lines = await db
    .selectFrom('order_lines as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.id', 'p.sku_key', 'p.length_mm', 'p.width_mm', 'p.height_mm'])
    .select(eb => [
      sql<number>`l.qty - l.cancelled_qty - l.shipped_qty`.as('qty'),
      eb.fn.coalesce('l.weight_g', 'p.weight_g').as('weight_g'),
      sql<string | null>`coalesce(p.sku_key, upper(l.sku))`.as('sku'),
    ])
    .where('l.order_id', '=', order_id)
    .where('l.type', '=', 'item')
    .where('l.requires_shipping', '=', true)
    .where(sql<boolean>`l.qty - l.cancelled_qty - l.shipped_qty > 0`)
    .orderBy('l.line_no')
    .execute()
  const rules = await rulesFor(
    db,
    order.company_id,
    order_id,
    lines.flatMap(line => line.sku ?? []),
    now,
  )
  return {
    crates,
    currency,
    items: lines.map(({ id, sku, qty, weight_g, length_mm, width_mm, height_mm }) => ({
      id,
      qty,
      weight_g,
      size_mm: length_mm !== null && width_mm !== null && height_mm !== null ? sidesOf(length_mm, width_mm, height_mm) : null,
      rules: (sku === null ? undefined : rules.get(sku)) ?? noRules(),
    })),
  }
}

/** Active crates in stock that the company and its courier may use. Costs compare in one currency only: that of the first crate. */
async function cratesFor(
  db: Db,
  company_id: number,
  agent_code: string | null,
): Promise<{ crates: OfferedCrate[]; currency: string | null }> {
  const rows = await db
    .selectFrom('crate_types')
    .select(['id', 'name', 'code', 'inner_mm', 'outer_mm', 'tare_g', 'max_g', 'cost', 'currency', 'filler_percent', 'max_side_sum_mm'])
    .where('active', '=', true)
    .where('removed_at', 'is', null)
    .where(eb => eb.or([eb('stock', 'is', null), eb('stock', '>', 0)]))
    .where(sql<boolean>`(company_ids is null or ${company_id}::bigint = any(company_ids))`)
    .where(sql<boolean>`(agent_codes is null or ${agent_code}::text is null or ${agent_code}::text = any(agent_codes))`)
    .orderBy('position')
    .orderBy(sql`upper(code)`)
    .limit(500)
    .execute()
  const currency = rows[0]?.currency ?? null
  const crates = rows
    .filter(row => row.currency === currency)
    .filter(row => row.max_side_sum_mm === null || row.outer_mm.reduce((sum, side) => sum + side, 0) <= row.max_side_sum_mm)
    .map(({ inner_mm: [l = 0, w = 0, h = 0], ...row }) => ({ ...row, inner_mm: sidesOf(l, w, h) }))
  return { crates, currency }
}

const sidesOf = (length: number, width: number, height: number): OfferedCrate['inner_mm'] => [length, width, height]

interface FoundRules extends ItemRules {
  must: number[]
  must_not: number[]
  pieces: { crate: number | null; pieces: number }[]
}
const noRules = (): FoundRules => ({
  must: [],
  must_not: [],
  alone: false,
  keep_flat: false,
  fragile_top: false,
  filler_percent: 0,
  pieces: [],
})

/** By SKU in upper case. A rule whose conditions cannot be read is passed over. */
async function rulesFor(
  db: Db,
  company_id: number,
  order_id: number,
  skus: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ItemRules>> {
  const rows = await db
    .selectFrom('crate_rules')
    .select(['sku_key', 'kind', 'crate_type_id', 'pieces', 'percent', 'conditions'])
    .where('company_id', '=', company_id)
    .where('sku_key', 'in', [...new Set(skus), ''])
    .orderBy('id')
    .execute()
  const read = rows.map(row => {
    const rule = row.conditions === null ? null : parseRule(row.conditions, 'crate').rule
    return { row, rule: rule && compileRule(rule), broken: rule === undefined }
  })
  const fields = new Set<RuleField>(read.flatMap(({ rule }) => (rule ? [...rule.fields] : [])))
  const [order] = read.some(({ rule }) => rule) ? await ordersWithFacts(db, [order_id], fields) : []
  const found = new Map<string, FoundRules>()
  for (const { row, rule, broken } of read) {
    if (broken || (rule && !(order && rule.matches(order.facts, { now, zone: order.zone, not_compared: 0 })))) continue
    const rules = found.get(row.sku_key) ?? noRules()
    found.set(row.sku_key, rules)
    if (row.kind === 'must' && row.crate_type_id !== null) rules.must.push(row.crate_type_id)
    else if (row.kind === 'must_not' && row.crate_type_id !== null) rules.must_not.push(row.crate_type_id)
    else if (row.kind === 'pieces' && row.pieces !== null) rules.pieces.push({ crate: row.crate_type_id, pieces: row.pieces })
    else if (row.kind === 'filler') rules.filler_percent = row.percent ?? 0
    else if (row.kind === 'alone') rules.alone = true
    else if (row.kind === 'keep_flat') rules.keep_flat = true
    else if (row.kind === 'fragile_top') rules.fragile_top = true
  }
  return found
}
