/** The database: one pool, and the only two ways in – as a tenant within a scope, or as the system by name. */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { AppError } from '#contract/errors.ts'
import { errorOf, textIn } from '#domain/thrown.ts'
import { startHeartbeat } from './database-heartbeat.ts'
import {
  automaticPlan,
  begin,
  commit,
  forceGenericPlan,
  type PreparedPrefix,
  prepareSessionStatements,
  runPipelined,
  setReadOnlyScope,
  setReadOnlySystem,
  setScope,
  setSystem,
} from './pipelined-query.ts'
import type { DB } from './schema.ts'
import { createSemaphore } from './semaphore.ts'
import { applySettings } from './session-settings.ts'
import { TenantFilterPlugin } from './tenant-filter.plugin.ts'
import type { TenantScope } from './tenant-scope.ts'

export type Db = Kysely<DB>

// Ids and counts stay far below 2^53; instants and days stay text, so that what the database says is what the wire says.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, text => text.replace(' ', 'T').replace(/\+00$/, 'Z'))

// Within JSON the database writes UTC as +00:00; outside it, the line above writes Z. Answers carry one notation.
const parseJson = (text: string): unknown =>
  JSON.parse(text.includes('+00:00"') ? text.replace(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)\+00:00"/g, '"$1Z"') : text)
pg.types.setTypeParser(pg.types.builtins.JSON, parseJson)
pg.types.setTypeParser(pg.types.builtins.JSONB, parseJson)

/** bigint[], which the driver has no name for. */
const setParser: (oid: number, parse: (text: string) => unknown) => void = pg.types.setTypeParser
setParser(1016, text => text.slice(1, -1).split(',').filter(Boolean).map(Number))

export interface Database {
  /** Runs `work` in one transaction that sees only `scope`; it commits when `work` resolves, else nothing happened. */
  transaction<T>(scope: TenantScope, work: (db: Db) => Promise<T>): Promise<T>
  /** Runs `work`, which sees only `scope` and can change nothing. Each statement is a transaction of its own: no round trip begins or ends one. */
  readOnly<T>(scope: TenantScope, work: (db: Db) => Promise<T>): Promise<T>
  /** What stands before or beside a tenant: login, keys, hosts, jobs. `why` is for the reader. */
  systemTransaction<T>(why: string, work: (db: Db) => Promise<T>): Promise<T>
  /** The same for who only looks: each statement is a transaction of its own, and none can change anything. */
  systemRead<T>(why: string, work: (db: Db) => Promise<T>): Promise<T>
  /** A transaction of the login that owns the tables, for their upkeep: partitions and statistics. Never for a request. */
  ownerTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  /** Answers when the database answers, and throws within seconds when it does not. */
  ping(): Promise<void>
  /** Throws and lists the gaps, unless the database itself keeps the tenants apart: every table has forced policies, no role bypasses them. */
  verifyRowLevelSecurity(): Promise<void>
  url: string
  pool: pg.Pool
  close(): Promise<void>
}

/** The database takes connections and says nothing. */
class DatabaseUnresponsiveError extends Error {
  override name = 'DatabaseSilent'
}

/** The end of a transaction was asked for and never confirmed: it may have been kept, or not. */
export class CommitInDoubtError extends Error {
  override name = 'CommitInDoubt'
}

/** Milliseconds within which a commit is confirmed or in doubt. */
const commitPatience = 20_000
const pingPatience = 3_000

/**
 * How many reads run at once. They never wait for a lock: more of them only take the processor's time from one another (measured on two
 * cores: 24 answer a quarter less than 8), and leave changes without a connection. However many processors there are, a third is for changes.
 */
export const readersOf = (connections: number, processors: number): number =>
  Math.min(Math.ceil((connections * 2) / 3), Math.max(8, 4 * processors))

/** Calls are many and small: starting helper processes takes longer than most statements, and takes processor time from other calls. */
const alone = { max_parallel_workers_per_gather: '0' }
const timeouts = { TimeZone: 'UTC', statement_timeout: '110s', lock_timeout: '5s' }

export function openDatabase(
  url: string,
  options: { connections?: number; processors?: number; onError?: (error: Error) => void; patience?: number; ownerUrl?: string } = {},
): Database {
  const { connections = 24, processors = availableParallelism() } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    // Time-outs everywhere: a database that hangs becomes a clear refusal and never a hanging screen.
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    query_timeout: 120_000,
    pipeline: true,
    // A connection without a scope is no one: it stands in the tenant's role and has no tenant.
    onConnect: applySettings({ role: 'pakhus_app', ...timeouts, ...alone, idle_in_transaction_session_timeout: '30s' }),
  })
  // Without listeners the first restart of the database would end the process. The one of a connection stays for its life:
  // it may break while it is idle, between two statements, or while it is being thrown away.
  pool.on('error', () => undefined)
  const ownerPool = new pg.Pool({
    connectionString: options.ownerUrl ?? url,
    max: 1,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    query_timeout: 120_000,
    onConnect: applySettings(timeouts),
  })
  ownerPool.on('error', () => undefined)
  ownerPool.on('connect', client => void client.on('error', error => options.onError?.(error)))
  const open = new Set<pg.PoolClient>()
  pool.on('connect', client => {
    client.on('error', error => options.onError?.(error))
    open.add(client)
    prepareSessionStatements(client)
  })
  pool.on('remove', client => void open.delete(client))
  const heartbeat = startHeartbeat(url, {
    patience: options.patience ?? 8_000,
    onSilent() {
      const silent = new DatabaseUnresponsiveError('The database does not answer')
      options.onError?.(silent)
      for (const client of open) client.connection.stream.destroy(silent)
    },
  })

  const inTurn = createSemaphore(readersOf(connections, processors))
  async function connected(): Promise<pg.PoolClient> {
    if (heartbeat.unresponsive) throw new DatabaseUnresponsiveError('The database does not answer')
    return pool.connect()
  }

  async function transaction<T>(
    ahead: readonly PreparedPrefix[],
    scope: TenantScope | undefined,
    work: (db: Db) => Promise<T>,
  ): Promise<T> {
    const client = await connected()
    const connection = new OneConnection(client, ahead, 'first')
    try {
      const answer = await work(kyselyOver(connection, scope))
      connection.end()
      if (connection.asked && connection.commit !== 'kept') {
        const { command } = await client.query(commitAlone).catch(error => {
          throw isBroken(error) ? inDoubt(error) : error
        })
        if (command !== 'COMMIT') throw new Error('The transaction could not be committed')
      }
      client.release()
      return answer
    } catch (error) {
      connection.end()
      // A refusal is an answer; whatever else went wrong after the commit must not be taken for nothing having happened.
      if (connection.commit === 'kept') {
        client.release()
        throw error instanceof AppError ? error : inDoubt(error)
      }
      client.query('rollback').then(
        () => client.release(),
        () => client.release(errorOf(error)),
      )
      throw error
    }
  }

  async function look<T>(ahead: PreparedPrefix, scope: TenantScope | undefined, work: (db: Db) => Promise<T>): Promise<T> {
    const client = await connected()
    const connection = new OneConnection(client, [ahead], 'each')
    try {
      return await work(kyselyOver(connection, scope))
    } finally {
      connection.end()
      client.release()
    }
  }

  return {
    url,
    pool,
    transaction: async (scope, work) => transaction([begin, setScope(scope)], scope, work),
    readOnly: (scope, work) => inTurn(() => look(setReadOnlyScope(scope), scope, work)),
    systemTransaction: (_why, work) => transaction([begin, setSystem], undefined, work),
    // Out of turn: the caller must be known before a change.
    systemRead: (_why, work) => look(setReadOnlySystem, undefined, work),
    async ownerTransaction(work) {
      const client = await ownerPool.connect()
      try {
        await client.query('begin')
        const answer = await work(client)
        await client.query('commit')
        client.release()
        return answer
      } catch (error) {
        // A connection that may be broken is not used again.
        client.release(true)
        throw error
      }
    },
    async ping() {
      if (heartbeat.unresponsive) throw new DatabaseUnresponsiveError('The database does not answer')
      const client = await pool.connect()
      try {
        // As calls ask: by a prepared statement, with others that are known by name ahead of it.
        await runPipelined(client, { text: 'select 1', name: 'ping', query_timeout: pingPatience }, [setReadOnlySystem])
        client.release()
      } catch (error) {
        client.release(errorOf(error))
        throw error
      }
    },
    async verifyRowLevelSecurity() {
      const { rows } = await pool.query<{ gap: string }>(rowLevelSecurityGaps)
      if (rows.length > 0) throw new Error(`Row-level security is incomplete: ${rows.map(row => row.gap).join('; ')}`)
    },
    async close() {
      await heartbeat.stop()
      await ownerPool.end()
      await pool.end()
    },
  }
}

const commitAlone = { text: 'commit', query_timeout: commitPatience }
const inDoubt = (cause: unknown) => new CommitInDoubtError('The commit was not confirmed', { cause })

/** Went away, or was given up, before it said how it ended: every other failure is the database's own word that nothing was kept. */
function isBroken(error: unknown): boolean {
  const code = textIn(error, 'code') ?? ''
  return !/^[0-9A-Z]{5}$/.test(code) || /^(57P|08)/.test(code) || textIn(error, 'message') === 'Query read timeout'
}

const rowLevelSecurityGaps = `
  with tenant_tables as (
    select c.oid, c.relname, c.relrowsecurity and c.relforcerowsecurity forced, c.relowner from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'operator_id' and not a.attisdropped))
  select relname || ' has no forced row-level security' gap from tenant_tables where not forced
  union all select relname || ' has not just its two policies' from tenant_tables t where (
    select array_agg(p.polname || ' ' || p.polroles::regrole[]::text order by p.polname) from pg_policy p where p.polrelid = t.oid
  ) is distinct from array['system_access {pakhus_system}', 'tenant_isolation {pakhus_app}']
  union all select relname || ' belongs to a role that serves requests' from tenant_tables
    where pg_has_role('pakhus_app', relowner, 'member') or pg_has_role('pakhus_system', relowner, 'member')
  union all select rolname || ' bypasses row-level security' from pg_roles where rolname in ('pakhus_app', 'pakhus_system') and (rolsuper or rolbypassrls)
  union all select 'pakhus_app can become pakhus_system' where pg_has_role('pakhus_app', 'pakhus_system', 'member')`

const scopes = new WeakMap<Db, TenantScope>()

/** The scope that a handler's `db` stands in. */
export function tenantScopeOf(db: Db): TenantScope {
  const scope = scopes.get(db)
  if (!scope) throw new Error('This statement needs a scope')
  return scope
}

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()
const connections = new WeakMap<Db, OneConnection>()

/**
 * The next statement of this change is its last: the commit travels with it and saves a round trip. What comes after it – a
 * statement, or a throw that should undo it – comes too late, so this is for statements that decide themselves whether they write,
 * once everything before them is answered.
 */
export const commitWithNextStatement = (db: Db): void => connections.get(db)?.endWithNext()

function kyselyOver(connection: OneConnection, scope: TenantScope | undefined): Db {
  const db = new Kysely<DB>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => new OneConnectionDriver(connection),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
    plugins: scope ? [new TenantFilterPlugin(scope)] : [],
  })
  if (scope) scopes.set(db, scope)
  connections.set(db, connection)
  return db
}

/** Statements are prepared once a connection, under a name made of their text; texts made anew each time are not worth a name. */
const names = new Map<string, string>()
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known) return known
  if (names.size >= 1_000 || text.length > 20_000) return undefined
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
  names.set(text, name)
  return name
}

const genericPlans = new Set<string>()
/** For statements whose plan never depends on their values: planning them anew each time costs more than running them. */
export const markGenericPlan = (text: string) => void genericPlans.add(text)

class OneConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #ahead: readonly PreparedPrefix[]
  readonly #of: 'first' | 'each'
  #ended = false
  #once = false
  /** Something was asked, and so a transaction begun. */
  asked = false
  /** How far the commit is that travels with the last statement; undefined where it is to come by itself. */
  commit: 'next' | 'asked' | 'kept' | undefined
  /** What travels ahead of the first statement, or of each. */
  constructor(client: pg.PoolClient, ahead: readonly PreparedPrefix[], of: 'first' | 'each') {
    this.#client = client
    this.#ahead = ahead
    this.#of = of
  }
  /** The connection goes on to somebody else: whatever still runs of this work, beside the part that failed, must not speak in their transaction. */
  end(): void {
    this.#ended = true
  }
  /** A connection that only reads has nothing to commit. */
  endWithNext(): void {
    if (this.#of === 'first') this.commit = 'next'
  }
  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#ended) throw new Error('The transaction of this statement is over')
    const name = nameOf(text)
    const last = this.commit === 'next'
    const statement = {
      text,
      values: [...parameters],
      ...(name && { name }),
      ...(last && { query_timeout: commitPatience }),
    }
    const ahead = this.#aheadOf(genericPlans.has(text))
    if (last) {
      this.end()
      this.commit = 'asked'
    }
    try {
      const { rows, rowCount } = await runPipelined(this.#client, statement, ahead, last ? [commit] : [])
      if (last) this.commit = 'kept'
      return { rows: rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      // The driver's own stack ends at its socket: who asked is of more use to the reader of the log.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw last && isBroken(error) ? inDoubt(error) : error
    }
  }
  #aheadOf(once: boolean): readonly PreparedPrefix[] {
    const first = this.#of === 'each' || !this.asked
    this.asked = true
    const before = first ? false : this.#once
    this.#once = once
    if (once === before) return first ? this.#ahead : []
    return [...(first ? this.#ahead : []), once ? forceGenericPlan : automaticPlan]
  }
  // biome-ignore lint/correctness/useYield: lists are paged; nothing streams row by row
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are paged, not streamed')
  }
}

/** Kysely over a connection whose transaction is already open: it can neither begin nor end one. */
class OneConnectionDriver implements Driver {
  readonly #connection: OneConnection
  constructor(connection: OneConnection) {
    this.#connection = connection
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async beginTransaction(): Promise<void> {
    throw new Error('One change is one transaction, and it is open already')
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
