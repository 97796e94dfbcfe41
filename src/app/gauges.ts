/** Figures on `/metrics`: connections and screens of a process, and for the whole server what waits and for how long. */
import { sql } from 'kysely'
import { countOpenStreams } from '#features/company/change-stream/change-stream.server.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ServerGauge } from '#platform/observability/metrics.ts'

interface Waiting {
  name: `pakhus_${string}`
  what: string
  /** Rows that wait, with the column `since`. An index knows them, or there are few. */
  rows: string
}

const waiting: readonly Waiting[] = [
  {
    name: 'pakhus_prints',
    what: 'Print jobs that no printer has taken',
    rows: `select created_at as since from print_jobs where state in ('queued', 'sending', 'sent')`,
  },
  {
    name: 'pakhus_bookings',
    what: 'Bookings of labels whose outcome is open',
    rows: `select leased_until as since from shipments where state in ('booking', 'unknown')`,
  },
  {
    name: 'pakhus_imports',
    what: 'Imports that wait or run',
    rows: `select created_at as since from jobs where state in ('queued', 'running') and kind like '%import%'`,
  },
  {
    name: 'pakhus_outbox',
    what: 'Deliveries of the outbox that are due',
    rows: `select d.at as since from outbox_deliveries d join outbox_destinations t on t.operator_id = d.operator_id and t.id = d.destination_id
      where d.state in ('waiting', 'sending') and t.state = 'active' and d.next_at <= now()`,
  },
]

const figure = async (services: Services, figure: string, rows: string): Promise<number> => {
  const { rows: read } = await services.database.systemRead('figures of the whole server', db =>
    sql<{ n: number }>`select ${sql.raw(figure)} as n from (${sql.raw(rows)}) w`.execute(db),
  )
  return Number(read[0]?.n ?? 0)
}
const count = 'count(*)'
const oldest = 'greatest(0, coalesce(extract(epoch from now() - min(since)), 0))'

/** Tasks belong to the library's own tables, which only the owner's login reads. */
const taskFigure = (services: Services, figure: string, condition: string): Promise<number> =>
  services.database.ownerTransaction(async client => {
    const { rows } = await client.query<{ n: string }>(
      `select ${figure} as n from (select run_at as since from graphile_worker.jobs where ${condition}) w`,
    )
    return Number(rows[0]?.n ?? 0)
  })
const due = 'attempts < max_attempts and locked_at is null and run_at <= now()'

export const processGauges: readonly ServerGauge[] = [
  { name: 'pakhus_pool_connections', help: 'Connections of the pool', read: ({ database }) => database.pool.totalCount },
  { name: 'pakhus_pool_idle', help: 'Connections of the pool that are free', read: ({ database }) => database.pool.idleCount },
  { name: 'pakhus_pool_waiting', help: 'Transactions that wait for a connection', read: ({ database }) => database.pool.waitingCount },
  { name: 'pakhus_streams_open', help: 'Streams of live notifications that are open', read: countOpenStreams },
]

export const systemGauges: readonly ServerGauge[] = [
  ...waiting.flatMap(({ name, what, rows }): ServerGauge[] => [
    { name: `${name}_waiting`, help: what, read: services => figure(services, count, rows) },
    { name: `${name}_oldest_seconds`, help: `${what}: age of the oldest`, read: services => figure(services, oldest, rows) },
  ]),
  {
    name: 'pakhus_outbox_paused_destinations',
    help: 'Webhooks and mail accounts that failed for three days',
    read: services => figure(services, count, `select from outbox_destinations where state = 'paused'`),
  },
  { name: 'pakhus_tasks_waiting', help: 'Tasks that are due', read: services => taskFigure(services, count, due) },
  {
    name: 'pakhus_tasks_oldest_seconds',
    help: 'Tasks that are due: age of the oldest',
    read: services => taskFigure(services, oldest, due),
  },
  {
    name: 'pakhus_tasks_failed',
    help: 'Tasks whose last attempt failed',
    read: services => taskFigure(services, count, 'attempts >= max_attempts'),
  },
]
