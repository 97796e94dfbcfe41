/**
 * The planner's statistics while tables grow fast: without any it cannot distinguish one index from another, and a shop's first thousand
 * orders are found by walking through all of them. The database gathers them itself once a minute; that is long for a first import.
 */
import type { ScheduledTask } from './scheduler.ts'

/** Tables whose plans matter while they are young. */
const tables = [
  'orders',
  'order_lines',
  'order_words',
  'customers',
  'customer_lookups',
  'customer_companies',
  'events',
  'products',
  'product_barcodes',
  'packing_scans',
  'shipments',
  'print_jobs',
]

export const analyzeGrowingTables: ScheduledTask = {
  name: 'gather statistics of young tables',
  seconds: 5,
  run: ({ database }) =>
    database.ownerTransaction(async client => {
      const { rows } = await client.query<{ relname: string }>(
        // A table that is partitioned is counted in its partitions, and its statistics are gathered over all of them.
        `select distinct coalesce(p.relname, s.relname) relname from pg_stat_user_tables s
          left join pg_inherits i on i.inhrelid = s.relid left join pg_class p on p.oid = i.inhparent
        where s.schemaname = 'public' and coalesce(p.relname, s.relname) = any ($1)
          and s.n_mod_since_analyze > 300 and s.n_mod_since_analyze > s.n_live_tup / 2`,
        [tables],
      )
      for (const { relname } of rows) await client.query(`analyze ${client.escapeIdentifier(relname)}`)
    }),
}
