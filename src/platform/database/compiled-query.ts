/**
 * Statements of the hot paths: built by the query builder once, walls included, and from then on only filled in. Building
 * costs more than asking where a request asks ten times.
 */
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import { type Db, markGenericPlan, tenantScopeOf } from './database.ts'
import type { DB } from './schema.ts'
import { TenantFilterPlugin } from './tenant-filter.plugin.ts'
import type { TenantScope } from './tenant-scope.ts'

/** Stands for a value until the statement is asked. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const operator = '@operator_id'
const companies = '@companies'

/** Builds only: its statements carry places instead of values, the scope's too. */
const draft: Db = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [
    new TenantFilterPlugin({ operator_id: new Parameter(operator), companies: new Parameter(companies) } as unknown as TenantScope),
  ],
})

/**
 * `make` is called once, with places instead of arguments: it must not look at their values, only hand them on.
 *
 *     const linesOf = prepared((db, { order_id }: { order_id: number }) => db.selectFrom('order_lines').selectAll().where('order_id', '=', order_id))
 *     const rows = await linesOf(db, { order_id })
 */
export function compiledQuery<A extends Record<string, unknown>, R>(
  make: (db: Db, args: A) => Compilable<R>,
): (db: Db, args: A) => Promise<R[]> {
  let compiled: CompiledQuery<R> | undefined
  return async (db, args): Promise<R[]> => {
    if (!compiled) {
      compiled = eachOnce(make(draft, new Proxy({} as A, { get: (_, name) => new Parameter(String(name)) })).compile())
      markGenericPlan(compiled.sql)
    }
    const scope = tenantScopeOf(db)
    const parameters = compiled.parameters.map(value => {
      if (!(value instanceof Parameter)) return value
      if (value.name === operator) return scope.operator_id
      if (value.name === companies) return scope.companies
      return args[value.name]
    })
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters })
    return rows
  }
}

/** The same place is sent once, however often the statement names it: the scope stands beside every table. */
function eachOnce<R>(compiled: CompiledQuery<R>): CompiledQuery<R> {
  const parameters: unknown[] = []
  const numbers = compiled.parameters.map(value => {
    const known = parameters.findIndex(
      one => one === value || (one instanceof Parameter && value instanceof Parameter && one.name === value.name),
    )
    return known >= 0 ? known + 1 : parameters.push(value)
  })
  return { ...compiled, sql: compiled.sql.replace(/\$(\d+)/g, (_, n) => `$${numbers[Number(n) - 1]}`), parameters }
}

/** The same for a statement in SQL: its text must not change with its values, and neither may its plan. */
export async function executeWithGenericPlan<R>(db: Db, statement: RawBuilder<R>): Promise<R[]> {
  const compiled = statement.compile(db)
  markGenericPlan(compiled.sql)
  const { rows } = await db.executeQuery(compiled)
  return rows
}
