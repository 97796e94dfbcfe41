/** Which statements some work asks, and by which indexes the database answers them. */
import { CompiledQuery } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import type { Db } from '#platform/database/database.ts'

export type PlanNode = { 'Relation Name'?: string; 'Index Name'?: string; 'Index Cond'?: string; Plans?: PlanNode[] }
const scansOf = (node: PlanNode): PlanNode[] => [
  ...(node['Relation Name'] || node['Index Name'] ? [node] : []),
  ...(node.Plans ?? []).flatMap(scansOf),
]

/** The texts that are asked from now on of statements whose text is made once. */
export function textsOf(db: Db): string[] {
  const texts: string[] = []
  const ask = db.executeQuery.bind(db)
  db.executeQuery = <R>(query: CompiledQuery<R>) => {
    texts.push(query.sql)
    return ask(query)
  }
  return texts
}

let asked = 0

/** The scans of the one plan that a statement has for all values. */
export async function scansOnce(db: Db, text: string): Promise<PlanNode[]> {
  const name = `look_${++asked}`
  const places = new Set(text.match(/\$\d+/g)).size
  await db.executeQuery(CompiledQuery.raw('set local plan_cache_mode = force_generic_plan'))
  await db.executeQuery(CompiledQuery.raw(`prepare ${name} as ${text}`))
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    CompiledQuery.raw(`explain (format json) execute ${name}(${Array(places).fill('null').join(', ')})`),
  )
  return scansOf(elementAt(rows, 0)['QUERY PLAN'][0].Plan)
}

/** Statements of this connection that were planned for just their values. */
export async function plannedAnew(db: Db, texts: readonly string[]): Promise<string[]> {
  const { rows } = await db.executeQuery<{ statement: string }>(
    CompiledQuery.raw('select statement from pg_prepared_statements where custom_plans > 0 and statement = any ($1)', [texts]),
  )
  return rows.map(row => row.statement)
}
