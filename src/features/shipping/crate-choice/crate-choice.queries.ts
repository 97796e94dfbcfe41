/** What the suggestion of crates reads: open items with sizes, the crates that are offered, and the rules that hold for the order. */
import { sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { LeftOutReason } from './crate-choice.codes.ts'
import type { ItemRules, ItemToPack, LeftOut, OfferedCrate } from './crate-choice.rules.ts'

interface Line {
  id: number
  sku: string | null
  name: string
  qty: number
}
export interface CrateInput {
  crates: OfferedCrate[]
  /** Crates that are not offered for this order, with the reason. */
  left_out: LeftOut<Pick<OfferedCrate, 'id' | 'name' | 'code'>>[]
  items: ItemToPack[]
  lines: Line[]
  order: { id: number; order_no: string; agent_code: string | null } | null
  /** Of the crates. */
  currency: string | null
}

export async function crateInput(db: Db, asked: { order_id: number } | { order_no: string }, now: Date): Promise<CrateInput> {
  const order = orNotFound(
    await db
      .selectFrom('orders')
      .select(['id', 'order_no', 'company_id', 'agent_code'])
      .$if('order_id' in asked, query => query.where('id', '=', 'order_id' in asked ? asked.order_id : 0))
      .$if('order_no' in asked, query => query.where('order_no', '=', 'order_no' in asked ? asked.order_no : ''))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    'order_not_found',
    'Order not found',
  )
  const offer = await cratesFor(db, order.company_id, order.agent_code)
  const lines = await db
    .selectFrom('order_lines as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.id', 'l.name', 'p.sku_key', 'p.length_mm', 'p.width_mm', 'p.height_mm'])
    .select(eb => [
      sql<number>`l.qty - l.cancelled_qty - l.shipped_qty`.as('qty'),
      eb.fn.coalesce('l.weight_g', 'p.weight_g').as('weight_g'),
      sql<string | null>`coalesce(p.sku_key, upper(l.sku))`.as('sku'),
    ])
    .where('l.order_id', '=', order.id)
    .where('l.type', '=', 'item')
    .where('l.requires_shipping', '=', true)
    .where(sql<boolean>`l.qty - l.cancelled_qty - l.shipped_qty > 0`)
    .orderBy('l.line_no')
    .execute()
  return { ...offer, ...(await withRules(db, order.company_id, order.id, lines, now)), order }
}

/** Products of a company beside any order. A SKU that no product has is a line without a size. */
export async function productsInput(
  db: Db,
  company_id: number,
  items: readonly { sku: string; qty: number }[],
  now: Date,
): Promise<CrateInput> {
  const offer = await cratesFor(db, company_id, null)
  const found = await db
    .selectFrom('products')
    .select(['sku_key', 'name', 'weight_g', 'length_mm', 'width_mm', 'height_mm'])
    .where('company_id', '=', company_id)
    .where('sku_key', 'in', [...new Set(items.map(({ sku }) => sku.toUpperCase()))])
    .execute()
  const bySku = new Map(found.map(product => [product.sku_key, product]))
  const lines = items.map(({ sku, qty }, place) => {
    const product = bySku.get(sku.toUpperCase())
    const unknown = { weight_g: null, length_mm: null, width_mm: null, height_mm: null }
    return { ...(product ?? unknown), id: place + 1, sku: sku.toUpperCase(), name: product?.name ?? sku, qty }
  })
  return { ...offer, ...(await withRules(db, company_id, null, lines, now)), order: null }
}

interface ReadLine extends Line {
  weight_g: number | null
  length_mm: number | null
  width_mm: number | null
  height_mm: number | null
}
async function withRules(
  db: Db,
  company_id: number,
  order_id: number | null,
  lines: readonly ReadLine[],
  now: Date,
): Promise<Pick<CrateInput, 'items' | 'lines'>> {
  const skus = lines.flatMap(line => line.sku ?? [])
  const rules = await rulesFor(db, company_id, order_id, skus, now)
  return {
    lines: lines.map(({ id, sku, name, qty }) => ({ id, sku, name, qty })),
    items: lines.map(({ id, sku, qty, weight_g, length_mm, width_mm, height_mm }) => ({
      id,
      qty,
      weight_g,
      size_mm: length_mm !== null && width_mm !== null && height_mm !== null ? sidesOf(length_mm, width_mm, height_mm) : null,
      rules: (sku === null ? undefined : rules.get(sku)) ?? noRules(),
    })),
  }
}

/**
 * The crates that the company and its courier may use, and the others with what is against them. Costs compare in one currency only: that
 * of the first crate that may be used.
 */
async function cratesFor(
  db: Db,
  company_id: number,
  agent_code: string | null,
): Promise<Pick<CrateInput, 'crates' | 'left_out' | 'currency'>> {
  const rows = await db
    .selectFrom('crate_types')
    .select(['id', 'name', 'code', 'inner_mm', 'outer_mm', 'tare_g', 'max_g', 'cost', 'currency', 'filler_percent', 'max_side_sum_mm'])
    .select(['active', 'stock', 'company_ids', 'agent_codes'])
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy(sql`upper(code)`)
    .limit(500)
    .execute()
  const crates: OfferedCrate[] = []
  const left_out: CrateInput['left_out'] = []
  let currency: string | null = null
  for (const { active, stock, company_ids, agent_codes, max_side_sum_mm, outer_mm, currency: own, ...crate } of rows) {
    // What is offered to other companies only is none of this one's business.
    if (company_ids && !company_ids.includes(company_id)) continue
    const against = (): LeftOutReason | null => {
      if (!active) return 'off'
      if (agent_code !== null && agent_codes && !agent_codes.includes(agent_code)) return 'other_courier'
      if (stock === 0) return 'used_up'
      if (max_side_sum_mm !== null && outer_mm.reduce((sum, side) => sum + side, 0) > max_side_sum_mm) return 'side_sum'
      return currency !== null && own !== currency ? 'other_currency' : null
    }
    const why = against()
    if (why !== null) {
      left_out.push({ crate, why, item: null })
      continue
    }
    currency ??= own
    const [l = 0, w = 0, h = 0] = crate.inner_mm
    crates.push({ ...crate, inner_mm: sidesOf(l, w, h) })
  }
  return { crates, left_out, currency }
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
  /** Null beside any order: then rules with conditions are passed over. */
  order_id: number | null,
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
  const [order] = order_id !== null && read.some(({ rule }) => rule) ? await ordersWithFacts(db, [order_id], fields) : []
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
