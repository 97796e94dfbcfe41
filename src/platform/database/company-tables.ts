/** The tables that hold rows of companies, as the catalogue of the database lists them, and their rows page by page. */
import { sql } from 'kysely'
import type { Db } from './database.ts'

interface Column {
  name: string
  type: string
}

export interface CompanyTable {
  name: string
  columns: readonly Column[]
  /** The primary key behind `operator_id`, in its order. */
  key: readonly Column[]
  /** Columns that name another row of the same table. */
  own_references: readonly string[]
}

interface TableRow extends CompanyTable {
  /** Tables whose rows this one names. */
  parents: readonly string[]
}

/** Every table with a `company_id`; a table stands before those whose rows it names, so that its rows can be deleted first. */
export async function companyTables(db: Db): Promise<CompanyTable[]> {
  const { rows } = await sql<TableRow>`
    with t as (
      select c.oid, c.relname::text as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'operator_id' and not a.attisdropped)
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped))
    select t.name,
      (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by k.place)
        from pg_constraint p cross join unnest(p.conkey) with ordinality as k(no, place) join pg_attribute a on a.attrelid = t.oid and a.attnum = k.no
        where p.conrelid = t.oid and p.contype = 'p' and a.attname <> 'operator_id') as key,
      coalesce((select jsonb_agg(distinct a.attname) from pg_constraint f join pg_attribute a on a.attrelid = t.oid and a.attnum = f.conkey[2]
        where f.conrelid = t.oid and f.contype = 'f' and f.confrelid = t.oid), '[]') as own_references,
      coalesce((select jsonb_agg(distinct p.name) from pg_constraint f join t p on p.oid = f.confrelid
        where f.conrelid = t.oid and f.contype = 'f' and f.confrelid <> t.oid), '[]') as parents
    from t order by t.name`.execute(db)
  return childrenFirst(rows)
}

function childrenFirst(tables: readonly TableRow[]): TableRow[] {
  const sorted: TableRow[] = []
  let left = [...tables]
  while (left.length > 0) {
    const named = new Set(left.flatMap(({ parents }) => parents))
    const free = left.filter(({ name }) => !named.has(name))
    if (free.length === 0) throw new Error(`The keys of ${left.map(({ name }) => name).join(', ')} name each other in a circle`)
    sorted.push(...free)
    left = left.filter(({ name }) => named.has(name))
  }
  return sorted
}

/** Values of a key as text, in the order of its columns. */
export type KeyValues = readonly string[]

interface OfCompany {
  operator_id: number
  company_id: number
}

const after = ({ key }: CompanyTable, last: KeyValues | undefined) =>
  last
    ? sql`and (${sql.join(key.map(({ name }) => sql`t.${sql.ref(name)}`))}) > (${sql.join(
        key.map(({ type }, at) => sql`${last[at]}::text::${sql.raw(type)}`),
      )})`
    : sql``

const keyOf = ({ key }: CompanyTable) => sql`array[${sql.join(key.map(({ name }) => sql`t.${sql.ref(name)}::text`))}]`
const inOrder = ({ key }: CompanyTable) => sql.join(key.map(({ name }) => sql`t.${sql.ref(name)}`))

/** The next rows of a company behind `last` as JSON text, without some of their columns. */
export async function rowsOfCompany(
  db: Db,
  table: CompanyTable,
  { operator_id, company_id }: OfCompany,
  without: readonly string[],
  page: { last: KeyValues | undefined; most: number },
): Promise<{ key: KeyValues; row: string }[]> {
  const { rows } = await sql<{ key: string[]; row: string }>`
    select ${keyOf(table)} as key, (to_jsonb(t) - ${[...without]}::text[])::text as row from ${sql.table(table.name)} t
    where t.operator_id = ${operator_id} and t.company_id = ${company_id} ${after(table, page.last)} order by ${inOrder(table)} limit ${page.most}`.execute(
    db,
  )
  return rows
}

/** The keys of the next rows of a company behind `last`. */
export const keysOfCompany = async (
  db: Db,
  table: CompanyTable,
  { operator_id, company_id }: OfCompany,
  page: { last: KeyValues | undefined; most: number },
): Promise<KeyValues[]> => {
  const { rows } = await sql<{ key: string[] }>`select ${keyOf(table)} as key from ${sql.table(table.name)} t
    where t.operator_id = ${operator_id} and t.company_id = ${company_id} ${after(table, page.last)} order by ${inOrder(table)} limit ${page.most}`.execute(
    db,
  )
  return rows.map(({ key }) => key)
}

/** Deletes the rows with these keys; answers how many there were. */
export async function deleteByKeys(
  db: Db,
  table: CompanyTable,
  { operator_id, company_id }: OfCompany,
  keys: readonly KeyValues[],
): Promise<number> {
  const places = table.key.map((_, at) => sql.ref(`k${at}`))
  const lists = table.key.map((_, at) => sql`${keys.map(key => key[at])}::text[]`)
  const same = table.key.map(({ name, type }, at) => sql`t.${sql.ref(name)} = x.${places[at]}::${sql.raw(type)}`)
  const { numAffectedRows } = await sql`delete from ${sql.table(table.name)} t using unnest(${sql.join(lists)}) as x(${sql.join(places)})
    where t.operator_id = ${operator_id} and t.company_id = ${company_id} and ${sql.join(same, sql` and `)}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Empties the columns of some rows that name other rows of the same table. */
export async function forgetOwnReferences(
  db: Db,
  table: CompanyTable,
  { operator_id, company_id }: OfCompany,
  keys: readonly KeyValues[],
): Promise<void> {
  if (table.own_references.length === 0) return
  const places = table.key.map((_, at) => sql.ref(`k${at}`))
  const lists = table.key.map((_, at) => sql`${keys.map(key => key[at])}::text[]`)
  const same = table.key.map(({ name, type }, at) => sql`t.${sql.ref(name)} = x.${places[at]}::${sql.raw(type)}`)
  await sql`update ${sql.table(table.name)} t set ${sql.join(table.own_references.map(name => sql`${sql.ref(name)} = null`))}
    from unnest(${sql.join(lists)}) as x(${sql.join(places)})
    where t.operator_id = ${operator_id} and t.company_id = ${company_id} and ${sql.join(same, sql` and `)}`.execute(db)
}
