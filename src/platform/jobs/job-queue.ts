/** The queue: work that outlives its request, run at least once, every task idempotent. */
import { EventEmitter } from 'node:events'
import { Logger, type Runner, run, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { type TaskName, type TaskPayloads, taskClasses } from '#contract/tasks.ts'
import type { WorkClass } from '#contract/work-classes.ts'
import type { ExternalContext, JobOrigin, Services } from '#platform/http/feature-module.ts'
import { isConnectionError } from '#platform/http/http-errors.ts'

/** A task does its work for the person and scope that queued it; when it throws, it is tried again later. */
export type Task<Payload> = (payload: Payload, context: ExternalContext & { last_try: boolean }) => Promise<void>
export type Tasks = { [N in TaskName]: Task<TaskPayloads[N]> }

export interface JobQueue {
  start(
    services: Services,
    tasks: Readonly<Record<string, Task<never>>>,
    contextOf: (origin: JobOrigin, work: WorkClass) => ExternalContext,
  ): Promise<void>
  stop(): Promise<void>
}

/** `concurrency` is for short tasks, and the same again for bulk tasks: a label is not booked late because files are imported. */
export function openJobQueue(url: string, concurrency = 4): JobQueue {
  const runners: Runner[] = []
  let sign: WorkerLiveness | undefined
  let pool: pg.Pool | undefined
  return {
    async start(services, tasks, contextOf) {
      const events: WorkerEvents = new EventEmitter()
      const life = workerLiveness(url, services)
      sign = life
      events.on('pool:create', ({ workerPool }) => life.show(workerPool.id))
      pool = retryingPool(url, 2 * concurrency + 4, services)
      const all = Object.entries(tasks).map(([name, task]) => {
        const work = classOf(name)
        const perform = async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) => {
          const { carried: origin, ...own } = payload as { carried: JobOrigin }
          await task(own as never, { ...contextOf(origin, work), last_try: helpers.job.attempts >= helpers.job.max_attempts })
        }
        return { name, work, perform }
      })
      for (const some of [all.filter(task => task.work !== 'bulk'), all.filter(task => task.work === 'bulk')]) {
        if (some.length === 0) continue
        const runner = await run({
          events,
          pgPool: pool,
          concurrency,
          noHandleSignals: true,
          pollInterval: 1_000,
          logger: quiet(services),
          taskList: Object.fromEntries(some.map(({ name, perform }) => [name, perform])),
        })
        runner.promise.catch(error => services.log.error({ error: String(error) }, 'The queue stopped'))
        runners.push(runner)
      }
    },
    async stop() {
      await Promise.all(runners.map(runner => runner.stop().catch(() => undefined)))
      await sign?.stop()
      await pool?.end().catch(() => undefined)
    },
  }
}

const classOf = (task: string): WorkClass => taskClasses[task as TaskName] ?? 'change'

/** "Cannot connect now": for this code the queue tries the same again, a hundred times and ever more slowly. */
const tryAgain = '57P03'

/**
 * Connections whose loss the queue survives. It notes the end of a job without waiting for it, and what breaks with its
 * connection has mostly no code by which the queue knows that trying again helps: it would end the whole process.
 */
function retryingPool(url: string, max: number, services: Services): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, keepAlive: true, connectionTimeoutMillis: 10_000 })
  pool.on('error', error => services.log.warn({ error: error.message }, 'a connection of the queue broke'))
  pool.on('connect', client => {
    client.on('error', () => undefined)
    const ask = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: unknown[]) => {
      const answer = ask(...given)
      if (!(answer instanceof Promise)) return answer
      return answer.catch((error: Error) => {
        throw isConnectionError(error) ? Object.assign(error, { code: tryAgain }) : error
      })
    }) as typeof client.query
  })
  const connect: (...given: unknown[]) => Promise<pg.PoolClient> = pool.connect.bind(pool)
  pool.connect = (...given: unknown[]) =>
    given.length > 0
      ? connect(...given)
      : connect().catch((error: Error) => {
          throw Object.assign(error, { code: tryAgain })
        })
  return pool
}

/** Number of the advisory locks by which living servers are known. */
const living = 732_421
const lookSeconds = 5

interface WorkerLiveness {
  show(worker: string): void
  stop(): Promise<void>
}

/**
 * A job belongs to its worker until it ends; the queue itself waits four hours before it gives a dead worker's job to another.
 * Here every living server holds an advisory lock for its workers, which the database lets go the moment the server dies:
 * a worker that gets the lock of another knows that it is gone, and frees its jobs.
 */
function workerLiveness(url: string, services: Services): WorkerLiveness {
  const mine = new Set<string>()
  let client: pg.Client | undefined
  let stopped = false
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (!client) {
      const fresh = new pg.Client({ connectionString: url, keepAlive: true, query_timeout: 30_000 })
      fresh.on('error', () => {
        if (client === fresh) client = undefined
      })
      await fresh.connect()
      client = fresh
      for (const worker of mine) await fresh.query('select pg_advisory_lock($1, hashtext($2))', [living, worker])
    }
    // A worker that has only just begun may not have shown itself yet.
    const { rows } = await client.query<{ locked_by: string }>(
      `select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '${lookSeconds} seconds' and locked_by <> all ($1)`,
      [[...mine]],
    )
    for (const { locked_by } of rows) {
      const { rows: got } = await client.query<{ dead: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) dead', [living, locked_by])
      if (!got[0]?.dead) continue
      await client.query('select graphile_worker.force_unlock_workers($1)', [[locked_by]])
      await client.query('select pg_advisory_unlock($1, hashtext($2))', [living, locked_by])
      services.log.warn({ worker: locked_by }, 'a server died at work: its jobs are taken up again')
    }
  }
  const again = () => {
    looking = looking.then(look).catch(error => {
      client?.end().catch(() => undefined)
      client = undefined
      if (!stopped) services.log.warn({ error: String(error) }, 'the queue could not look for dead servers')
    })
  }
  const timer = setInterval(again, lookSeconds * 1_000)
  again()
  return {
    show(worker) {
      mine.add(worker)
      looking = looking.then(async () => {
        await client?.query('select pg_advisory_lock($1, hashtext($2))', [living, worker]).catch(() => undefined)
      })
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
      await client?.end().catch(() => undefined)
    },
  }
}

const quiet = (services: Services) =>
  new Logger(() => (level, message) => {
    if (level === 'error') services.log.error({}, message)
    else if (level === 'warning') services.log.warn({}, message)
  })
