/** What the suggestion of crates reads: open items with sizes, the crates that are offered, and the rules that hold for the order. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import { priceTable } from '#features/shipping/prices/prices.queries.ts'
import { priceLimits } from '#features/shipping/prices/prices.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { LeftOutReason } from './crate-choice.codes.ts'
import {
  type BasketHistory,
  type CrateSuggestion,
  type ItemRules,
  type ItemToPack,
  type LeftOut,
  type OfferedCrate,
  suggestByHistory,
} from './crate-choice.rules.ts'

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
  /** What packers used for the same products in the same quantities. */
  history: BasketHistory
  /** Of the open lines; null where one has no SKU. */
  basket_key: string | null
}

/** The suggestion of an order, or of products. */
export const suggestionOf = ({ crates, items, history }: CrateInput): CrateSuggestion => suggestByHistory(crates, items, history)

/** The same products in the same quantities have the same key. */
function basketKey(lines: readonly Pick<Line, 'sku' | 'qty'>[]): string | null {
  const pieces = new Map<string, number>()
  for (const { sku, qty } of lines) {
    if (sku === null) return null
    pieces.set(sku, (pieces.get(sku) ?? 0) + qty)
  }
  if (pieces.size === 0) return null
  const text = [...pieces]
    .map(([sku, qty]) => `${sku}\n${qty}`)
    .toSorted()
    .join('\n')
  return createHash('sha256').update(text).digest('base64url').slice(0, 32)
}

/** More parcels than these say nothing about today. */
const lastChoices = 10

async function historyOf(db: Db, company_id: number, basket_key: string | null): Promise<BasketHistory> {
  if (basket_key === null) return { adopted: null, choices: [] }
  const [decided, choices] = await Promise.all([
    db
      .selectFrom('crate_baskets')
      .select('crate_type_id')
      .where('company_id', '=', company_id)
      .where('basket_key', '=', basket_key)
      .where('state', '=', 'adopted')
      .executeTakeFirst(),
    db
      .selectFrom('crate_choices')
      .select(['suggested_id as suggested', 'used_id as used'])
      .where('company_id', '=', company_id)
      .where('basket_key', '=', basket_key)
      .where('closed_at', 'is not', null)
      .orderBy('closed_at', 'desc')
      .limit(lastChoices)
      .execute(),
  ])
  return { adopted: decided?.crate_type_id ?? null, choices }
}

export async function crateInput(db: Db, asked: { order_id: number } | { order_no: string }, now: Date): Promise<CrateInput> {
  const order = orNotFound(
    await db
      .selectFrom('orders')
      .select(['id', 'order_no', 'company_id', 'agent_code', 'shipping_method', 'ship_country', 'ship_to'])
      .$if('order_id' in asked, query => query.where('id', '=', 'order_id' in asked ? asked.order_id : 0))
      .$if('order_no' in asked, query => query.where('order_no', '=', 'order_no' in asked ? asked.order_no : ''))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    'order_not_found',
    'Order not found',
  )
  const { id, order_no, company_id, agent_code, shipping_method, ship_country, ship_to } = order
  const { postcode } = Address.parse(ship_to)
  const offer = await cratesFor(db, company_id, agent_code, { shipping_method, country: ship_country, postcode, now })
  const lines = await db
    .selectFrom('order_lines as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.id', 'l.name', 'p.sku_key', 'p.length_mm', 'p.width_mm', 'p.height_mm'])
    .select(eb => [
      toPack.as('qty'),
      eb.fn.coalesce('l.weight_g', 'p.weight_g').as('weight_g'),
      sql<string | null>`coalesce(p.sku_key, upper(l.sku))`.as('sku'),
    ])
    .where('l.order_id', '=', order.id)
    .where('l.type', '=', 'item')
    .where('l.requires_shipping', '=', true)
    .where(sql<boolean>`${toPack} > 0`)
    .orderBy('l.line_no')
    .execute()
  return { ...offer, ...(await withRules(db, company_id, id, lines, now)), order: { id, order_no, agent_code } }
}

/** What goes into this parcel and those after it: without what was sent, and without what lies in full parcels of the open session. */
const toPack = sql<number>`(l.qty - l.cancelled_qty - greatest(l.shipped_qty, (
  select coalesce(sum(f.qty), 0)::integer from packing_sessions s
  join parcel_lines f on f.operator_id = s.operator_id and f.order_id = s.order_id and f.parcel_no < s.parcel_no
  where s.operator_id = l.operator_id and s.order_id = l.order_id and s.ended_at is null and f.order_line_id = l.id)))`

const Address = z.looseObject({ postcode: z.string().catch('') }).catch({ postcode: '' })

/** Products of a company beside any order. A SKU that no product has is a line without a size. */
export async function productsInput(
  db: Db,
  company_id: number,
  items: readonly { sku: string; qty: number }[],
  now: Date,
): Promise<CrateInput> {
  const offer = await cratesFor(db, company_id, null, null)
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
): Promise<Pick<CrateInput, 'items' | 'lines' | 'history' | 'basket_key'>> {
  const skus = lines.flatMap(line => line.sku ?? [])
  const basket_key = basketKey(lines)
  const [rules, history] = await Promise.all([rulesFor(db, company_id, order_id, skus, now), historyOf(db, company_id, basket_key)])
  return {
    basket_key,
    history,
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
  sent: { shipping_method: string | null; country: string; postcode: string; now: Date } | null,
): Promise<Pick<CrateInput, 'crates' | 'left_out' | 'currency'>> {
  const day = sent && localDay(sent.now, (await companySettings(db, company_id)).time_zone)
  const table =
    sent?.shipping_method && agent_code !== null && day !== null
      ? await priceTable(db, company_id, { agent_code, shipping_method: sent.shipping_method, day })
      : null
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
    const [length = 0, width = 0, height = 0] = outer_mm
    const limits =
      sent && table && table.steps.length > 0
        ? priceLimits(table, { country: sent.country, postcode: sent.postcode, outer_mm: [length, width, height] }, crate.max_g)
        : null
    // Without a rate two currencies do not add up.
    const prices = limits?.every(limit => limit.currency === own) ? limits : null
    crates.push({ ...crate, inner_mm: sidesOf(l, w, h), prices })
  }
  const priced = crates.filter(({ prices }) => prices !== null && prices.length > 0)
  if (priced.length === 0) return { crates: crates.map(crate => ({ ...crate, prices: null })), left_out, currency }
  // The courier takes nothing above its last price.
  const limited = priced.map(crate => ({ ...crate, max_g: Math.min(crate.max_g, crate.prices?.at(-1)?.max_g ?? crate.max_g) }))
  const unpriced = crates.filter(crate => !priced.includes(crate)).map(crate => ({ crate, why: 'no_price' as const, item: null }))
  return { crates: limited, left_out: [...left_out, ...unpriced], currency }
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
export async function rulesFor(
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
