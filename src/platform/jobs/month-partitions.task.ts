/** Creates the partitions of the coming months for tables that grow without end, and drops those of the outbox that are old. */
import type pg from 'pg'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from './scheduler.ts'

/** Days for which rows are kept. Deliveries refer to rows of the outbox, so both go together; other tables keep all. */
const keptDays = 90
const droppedTables = ['outbox', 'outbox_deliveries']

/** This month and the two after it. Rows of a month without a partition are in the default partition until its own is created. */
export async function renewMonthPartitions(services: Services): Promise<void> {
  const now = services.now()
  await services.database.ownerTransaction(async client => {
    const { rows } = await client.query<{ n: number }>('select create_month_partitions($1) n', [now.toISOString()])
    const dropped = await dropPartitions(client, new Date(now.getTime() - keptDays * 86_400_000))
    if (rows[0]?.n || dropped.length) services.log.info({ created: rows[0]?.n, dropped }, 'partitions by month were renewed')
  })
}

/** Drops partitions that end before a time; answers their names. */
async function dropPartitions(client: pg.PoolClient, before: Date): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = any ($1::text[]::regclass[]) and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)')::timestamptz <= $2`,
    [droppedTables, before.toISOString()],
  )
  for (const { name } of rows) await client.query(`drop table ${client.escapeIdentifier(name)}`)
  return rows.map(({ name }) => name)
}

export const monthPartitions: ScheduledTask = { name: 'renew partitions by month', seconds: 3_600, run: renewMonthPartitions }
