/** Reads of tag rules. */
import { type RawBuilder, sql } from 'kysely'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { type CompiledRule, compileRule } from '#domain/rules/rule-evaluation.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import { type AskedTagRules, TagRule } from './tag-rules.schemas.ts'

const hitsOfMonth = sql<number>`(select count(*)::integer from tag_rule_hits h where h.operator_id = r.operator_id
  and h.company_id = r.company_id and h.tag_rule_id = r.id and h.created_at > now() - interval '30 days')`

const from = (db: Db) => db.selectFrom('tag_rules as r').innerJoin('tags as t', 't.id', 'r.tag_id')
const selected = (db: Db) =>
  from(db)
    .select(['r.id', 'r.tag_id', 'r.conditions', 'r.active', 'r.version', 'r.updated_at', 't.name as tag', 't.color'])
    .select(hitsOfMonth.as('hits'))

const Stored = TagRule.omit({ broken: true }).extend({ conditions: RuleJson.catch({ v: 1, all: [] }) })
const asRule = (row: { conditions: unknown }): TagRule => ({
  ...Stored.parse(row),
  broken: parseRule(row.conditions, 'tag').rule === undefined,
})

export async function findTagRule(db: Db, id: number): Promise<TagRule | undefined> {
  const row = await selected(db).where('r.id', '=', id).executeTakeFirst()
  return row && asRule(row)
}

export async function tagRulesOfTag(db: Db, tag_id: number): Promise<{ id: number; conditions: TagRule['conditions']; active: boolean }[]> {
  const rows = await db.selectFrom('tag_rules').select(['id', 'conditions', 'active']).where('tag_id', '=', tag_id).orderBy('id').execute()
  return rows.map(row => ({ ...row, conditions: Stored.shape.conditions.parse(row.conditions) }))
}

export async function tagRuleById(db: Db, id: number): Promise<TagRule> {
  return asRule(orNotFound(await selected(db).where('r.id', '=', id).executeTakeFirst(), 'tag_rule_not_found', 'Tag rule not found'))
}

const sortColumns: Record<string, RawBuilder<unknown>> = { tag: sql`t.code`, hits: sql`hits`, changed: sql`r.updated_at` }

export async function findTagRules(
  db: Db,
  { query, active, sort, ...paging }: AskedTagRules & { page: number; limit: number },
): Promise<Page<TagRule>> {
  const matches = sql<boolean>`${sql.join(
    [
      sql`true`,
      ...(query === '' ? [] : [sql`t.name ilike ${containing(query)}`]),
      ...(active === undefined ? [] : [sql`r.active = ${active}`]),
    ],
    sql` and `,
  )}`
  const rows = await selected(db)
    .where(matches)
    .orderBy(sortColumns[sort.replace('-', '')] ?? sql`r.id`, sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy('r.id')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return {
    rows: rows.map(asRule),
    ...(await cappedCount(db, from(db).where(matches))),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

interface RuleInForce {
  id: number
  company_id: number
  tag_id: number
  rule: CompiledRule
}

/** Rules of these companies that are on and can be read. */
export async function tagRulesInForce(db: Db, companies: readonly number[]): Promise<RuleInForce[]> {
  const rows = await db
    .selectFrom('tag_rules')
    .select(['id', 'company_id', 'tag_id', 'conditions'])
    .where('company_id', '=', sql<number>`any(${[...companies]}::bigint[])`)
    .where('active', '=', true)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ conditions, ...row }) => {
    const { rule } = parseRule(conditions, 'tag')
    return rule ? { ...row, rule: compileRule(rule) } : []
  })
}
