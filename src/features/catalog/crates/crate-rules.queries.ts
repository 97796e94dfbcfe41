/** Reads of the rules of a company about crates. */
import { sql } from 'kysely'
import { type Page, pageOffset } from '#contract/page.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { isPackedItself } from '#features/catalog/products/products.queries.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning, containing } from '#platform/database/like-pattern.ts'
import type { CrateRule, CrateRuleQuestion } from './crate-rules.schemas.ts'

const rulesOf = (db: Db, company_id: number) =>
  db
    .selectFrom('crate_rules as r')
    .leftJoin('crate_types as c', j => j.onRef('c.operator_id', '=', 'r.operator_id').onRef('c.id', '=', 'r.crate_type_id'))
    .leftJoin('products as p', j =>
      j.onRef('p.operator_id', '=', 'r.operator_id').onRef('p.company_id', '=', 'r.company_id').onRef('p.sku_key', '=', 'r.sku_key'),
    )
    .where('r.company_id', '=', company_id)
    .where('c.removed_at', 'is', null)

type Asked = CrateRuleQuestion & { page: number; limit: number }
export async function findCrateRules(
  db: Db,
  company_id: number,
  { query, sku, kind, crate, sort, ...paging }: Asked,
): Promise<Page<CrateRule>> {
  let from = rulesOf(db, company_id)
  if (query !== '')
    from = from.where(eb => eb.or([eb('r.sku_key', 'like', beginning(query.toUpperCase())), eb('p.name', 'ilike', containing(query))]))
  if (sku !== undefined) from = from.where('r.sku_key', '=', sql<string>`upper(${sku})`)
  if (kind !== undefined) from = from.where('r.kind', '=', kind)
  if (crate !== undefined) from = from.where('r.crate_type_id', '=', crate)
  const rows = await read(
    from
      .orderBy('r.sku_key', sort === '-sku' ? 'desc' : 'asc')
      .orderBy('r.id')
      .limit(paging.limit)
      .offset(pageOffset(paging)),
  )
  return { rows, ...(await cappedCount(db, from)), offset: pageOffset(paging), limit: paging.limit }
}

export async function crateRuleById(db: Db, company_id: number, id: number): Promise<CrateRule | undefined> {
  const [rule] = await read(rulesOf(db, company_id).where('r.id', '=', id))
  return rule
}

/** The id of the rule of a kind for a SKU and a crate; 0 stands for every crate. */
export async function crateRuleOf(
  db: Db,
  company_id: number,
  { sku, kind, crate }: { sku: string; kind: CrateRule['kind']; crate: number },
): Promise<number | undefined> {
  const rule = await db
    .selectFrom('crate_rules')
    .select('id')
    .where('company_id', '=', company_id)
    .where('sku_key', '=', sql<string>`upper(${sku})`)
    .where('kind', '=', kind)
    .where(sql`coalesce(crate_type_id, 0)`, '=', crate)
    .executeTakeFirst()
  return rule?.id
}

async function read(from: ReturnType<typeof rulesOf>): Promise<CrateRule[]> {
  const rows = await from
    .select(['r.id', 'r.sku', 'r.kind', 'r.pieces', 'r.percent', 'r.conditions', 'p.name as product'])
    .select(['c.id as crate_id', 'c.name as crate_name', 'c.code as crate_code'])
    .execute()
  return rows.map(({ crate_id, crate_name, crate_code, conditions, ...row }) => ({
    ...row,
    crate: crate_id === null || crate_name === null || crate_code === null ? null : { id: crate_id, name: crate_name, code: crate_code },
    conditions: conditions === null ? null : RuleJson.catch({ v: 1, all: [] }).parse(conditions),
    broken: conditions !== null && parseRule(conditions, 'crate').errors !== undefined,
  }))
}

/** SKUs of rules that no product has. */
export async function unmatchedSkus(db: Db, company_id: number): Promise<string[]> {
  const rows = await rulesOf(db, company_id).where('p.id', 'is', null).select('r.sku').distinct().orderBy('r.sku').limit(100).execute()
  return rows.map(row => row.sku)
}

export async function productsWithoutSize(db: Db, company_id: number): Promise<number> {
  const from = db
    .selectFrom('products as p')
    .where('p.company_id', '=', company_id)
    .where(eb => eb.or([eb('p.length_mm', 'is', null), eb('p.width_mm', 'is', null), eb('p.height_mm', 'is', null)]))
    .where(isPackedItself)
  return (await cappedCount(db, from)).total
}
