/** Writes src/platform/database/schema.ts from the live catalogue: the row types that every statement is checked against. */
import { writeFile } from 'node:fs/promises'
import pg from 'pg'

interface Column {
  table: string
  column: string
  type: string
  nullable: boolean
  generated: 'never' | 'always' | 'default'
}

const scalar: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  bool: 'boolean',
  text: 'string',
  uuid: 'string',
  timestamptz: 'Instant',
  date: 'string',
  bytea: 'Buffer',
  jsonb: 'Json',
  json: 'Json',
  tsvector: 'string',
}
const typeOf = (type: string): string => {
  const known = scalar[type.replace(/^_/, '')]
  if (!known) throw new Error(`No row type for a column of type ${type}`)
  return type.startsWith('_') ? `${known}[]` : known
}

/** The whole text of schema.ts for the database at `url`. */
export async function schemaText(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: columns } = await client.query<Column>(`
      select c.relname "table", a.attname "column", t.typname type, not a.attnotnull nullable,
        case when a.attidentity = 'a' or a.attgenerated = 's' then 'always' when a.atthasdef or a.attidentity = 'd' then 'default' else 'never' end generated
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped and c.relname not in ('migrations', 'migrations_lock')
      order by c.relname, a.attnum`)
    const { rows: checks } = await client.query<{ table: string; definition: string }>(`
      select conrelid::regclass::text "table", pg_get_constraintdef(oid) definition from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace`)
    const allowedTexts = new Map<string, string>()
    for (const { table, definition } of checks) {
      const list = /^CHECK \(\(?(?:\(\w+ IS NOT NULL\) AND \()?(\w+) = ANY \(ARRAY\[(.*)\]\)\)*(?: NOT VALID)?$/.exec(definition)
      if (list)
        allowedTexts.set(
          `${table}.${list[1]}`,
          [...(list[2] as string).matchAll(/'([^']*)'::text/g)].map(match => `'${match[1]}'`).join(' | '),
        )
    }
    const tables = [...new Set(columns.map(column => column.table))]
    const tenantScope = (table: string): string => {
      const has = (name: string) => columns.some(column => column.table === table && column.column === name)
      if (table === 'companies') return 'company'
      return has('company_id') ? 'company' : has('operator_id') ? 'operator' : 'none'
    }
    const pascal = (name: string) => name.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
    const field = ({ table, column, type, nullable, generated }: Column) => {
      const plain = allowedTexts.get(`${table}.${column}`) ?? typeOf(type)
      const full = nullable ? `${plain} | null` : plain
      if (plain === 'Json') return `  ${column}: ${generated === 'default' ? 'DefaultJson' : 'Json'}`
      return `  ${column}: ${generated === 'always' ? `GeneratedAlways<${full}>` : generated === 'default' ? `Generated<${full}>` : full}`
    }
    return [
      '/** The rows of the database, written by `npm run schema` from the live catalogue. */',
      "import type { ColumnType, Generated, GeneratedAlways } from 'kysely'",
      '',
      '/** ISO 8601, as the database returns it. */',
      'export type Instant = string',
      '/** Anything JSON; written as its text. Read it through a schema of the contract. */',
      'export type Json = ColumnType<unknown, string | null | undefined, string | null>',
      'export type DefaultJson = ColumnType<unknown, string | undefined, string>',
      '',
      ...tables.flatMap(table => [
        `export interface ${pascal(table)}Row {`,
        ...columns.filter(column => column.table === table).map(field),
        '}',
        '',
      ]),
      'export interface DB {',
      ...tables.map(table => `  ${table}: ${pascal(table)}Row`),
      '}',
      '',
      '/** The scope that row-level security gives a table: its company, its operator, or none. */',
      'export const tenantScopeByTable = {',
      ...tables.map(table => `  ${table}: '${tenantScope(table)}',`),
      "} as const satisfies Record<keyof DB, 'company' | 'operator' | 'none'>",
      '',
    ].join('\n')
  } finally {
    await client.end()
  }
}

export const schemaFile = new URL('../src/platform/database/schema.ts', import.meta.url)

if (import.meta.main) {
  const { mkdtemp, rm } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const { startPostgres } = await import('../src/platform/postgres/embedded-postgres.ts')
  const { migrate } = await import('../src/platform/database/migrate.ts')
  const folder = await mkdtemp(`${tmpdir()}/pakhus-schema-`)
  const postgres = await startPostgres({ dataDir: folder, log: () => undefined, settings: { fsync: 'off' } })
  try {
    await migrate(postgres.url)
    await writeFile(schemaFile, await schemaText(postgres.url))
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
