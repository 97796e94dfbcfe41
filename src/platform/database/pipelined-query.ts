/**
 * One statement on the wire, and what travels with it: ahead the beginning of a transaction and whose rows it may see, behind
 * its commit. All leave in the same write and are answered together, for a round trip of their own would cost more
 * than most statements do.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import type { TenantScope } from './tenant-scope.ts'

/** A statement that every connection knows by name. */
export interface PreparedPrefix {
  name: string
  values: readonly string[]
}

const local = (name: string, value: string) => `set_config('${name}', ${value}, true)`
const scoped = [local('app.operator', '$1'), local('app.company', '$2'), local('app.companies', '$3'), local('role', "'pakhus_app'")]
const readOnly = local('transaction_read_only', "'on'")
const known = [
  { name: 'begin', text: 'begin', values: [] },
  { name: 'enter', text: `select ${scoped.join(', ')}`, values: ['0', '0', '{}'] },
  { name: 'look', text: `select ${[...scoped, readOnly].join(', ')}`, values: ['0', '0', '{}'] },
  { name: 'as_system', text: 'set local role pakhus_system', values: [] },
  { name: 'look_as_system', text: `select ${local('role', "'pakhus_system'")}, ${readOnly}`, values: [] },
  { name: 'plan_once', text: `select ${local('plan_cache_mode', "'force_generic_plan'")}`, values: [] },
  { name: 'plan_anew', text: `select ${local('plan_cache_mode', "'auto'")}`, values: [] },
  // The last, for it ends what the first began.
  { name: 'commit', text: 'commit', values: [] },
] as const

export const begin: PreparedPrefix = { name: 'begin', values: [] }
export const setSystem: PreparedPrefix = { name: 'as_system', values: [] }
/** This one statement sees everything; it can write nothing. */
export const setReadOnlySystem: PreparedPrefix = { name: 'look_as_system', values: [] }
/** What follows in this transaction is planned once a connection, whatever its values. */
export const forceGenericPlan: PreparedPrefix = { name: 'plan_once', values: [] }
/** … or as the database thinks best, which may be anew each time. */
export const automaticPlan: PreparedPrefix = { name: 'plan_anew', values: [] }
export const commit: PreparedPrefix = { name: 'commit', values: [] }
/** Whose rows this transaction sees and writes. */
export const setScope = (scope: TenantScope): PreparedPrefix => ({ name: 'enter', values: valuesOf(scope) })
/** Whose rows this one statement sees; it can write none. */
export const setReadOnlyScope = (scope: TenantScope): PreparedPrefix => ({ name: 'look', values: valuesOf(scope) })

const valuesOf = ({ operator_id, company_id, companies }: TenantScope) => [
  `${whole(operator_id)}`,
  `${whole(company_id)}`,
  `{${companies.map(whole).join(',')}}`,
]
const whole = (n: number): number => {
  if (!Number.isSafeInteger(n)) throw new Error('A scope is made of whole numbers')
  return n
}

/** Teaches a new connection what will travel ahead; one that cannot learn it is of no use. */
export function prepareSessionStatements(client: pg.PoolClient): void {
  for (const { name, text, values } of known)
    client.query({ name, text, values: [...values] }).catch(() => client.connection.stream.destroy())
}

/** Asks one statement between what travels ahead of it and behind it. An error of any of them is the statement's. */
export const runPipelined = (
  client: pg.PoolClient,
  statement: pg.QueryConfig,
  ahead: readonly PreparedPrefix[],
  behind: readonly PreparedPrefix[] = [],
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) =>
    client.query(new Statement(statement, ahead, behind, (error, result) => (error ? reject(error) : resolve(result)))),
  )

/** What the driver's statements are written with. Its types leave this out; `pipelined-query.test.ts` fails when they change. */
interface Wire {
  stream: Socket
  bind(asked: { statement: string; values: readonly string[] }): void
  execute(asked: object): void
  sync(): void
}
declare module 'pg' {
  interface ClientBase {
    readonly connection: Wire
  }
  interface QueryConfig<I> {
    values?: pg.QueryConfigValues<I>
    /** Milliseconds, also for one statement. */
    query_timeout?: number | undefined
  }
  interface Query {
    prepare(connection: Wire): void
    _getRows(connection: Wire, rows?: number): void
    handleDataRow(message: unknown): void
    handleCommandComplete(message: unknown, connection: Wire): void
  }
}

/** The answers to what travels with it are of no interest. */
class Statement extends pg.Query {
  readonly #ahead: readonly PreparedPrefix[]
  readonly #behind: readonly PreparedPrefix[]
  #answered = 0
  /** Read by the driver, which does not keep that of the config. */
  readonly query_timeout: number | undefined
  constructor(
    config: pg.QueryConfig,
    ahead: readonly PreparedPrefix[],
    behind: readonly PreparedPrefix[],
    done: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super(config, done)
    this.query_timeout = config.query_timeout
    this.#ahead = ahead
    this.#behind = behind
  }
  /** Also without values: what travels along does so only in the protocol of prepared statements. */
  requiresPreparation(): boolean {
    return true
  }
  override prepare(connection: Wire): void {
    this.#send(connection, this.#ahead)
    super.prepare(connection)
  }
  override _getRows(connection: Wire, rows?: number): void {
    if (this.#behind.length === 0) super._getRows(connection, rows)
    else {
      connection.execute({})
      this.#send(connection, this.#behind)
      connection.sync()
    }
  }
  override handleDataRow(message: unknown): void {
    if (this.#answered === this.#ahead.length) super.handleDataRow(message)
  }
  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#answered++ === this.#ahead.length) super.handleCommandComplete(message, connection)
  }
  #send(connection: Wire, some: readonly PreparedPrefix[]): void {
    for (const { name, values } of some) {
      connection.bind({ statement: name, values })
      connection.execute({})
    }
  }
}
