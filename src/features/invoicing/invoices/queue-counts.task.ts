/** How many parcels wait for an invoice by courier and country: differences that triggers of the queue write, added up and compared by schedules. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'

const why = 'the clock knows no tenant'

/** So many differences are added up in one transaction, and so many transactions in one run: more follow in the next. */
const batch = 10_000
const batches = 20

export const addUpInvoiceQueue: ScheduledTask = {
  name: 'add up the queue of invoices',
  seconds: 60,
  async run({ database }) {
    let full = true
    for (let run = 0; full && run < batches; run++) full = (await database.systemTransaction(why, foldCounts)) === batch
  },
}

/** Returns how many rows there were beyond one for each courier and country; fewer than a batch means that none is left. */
async function foldCounts(db: Db): Promise<number> {
  const key = sql`operator_id, company_id, agent_code, country`
  const { rows } = await sql<{ n: number }>`
    with several as (select ${key} from invoice_queue_counts group by ${key} having count(*) > 1),
    oldest as (
      select c.operator_id, c.company_id, c.agent_code, c.country, c.id from invoice_queue_counts c join several using (${key})
      order by c.operator_id, c.company_id, c.agent_code, c.country, c.id limit ${batch} for update of c skip locked),
    taken as (
      delete from invoice_queue_counts c using oldest o where c.operator_id = o.operator_id and c.company_id = o.company_id
        and c.agent_code = o.agent_code and c.country = o.country and c.id = o.id
      returning c.operator_id, c.company_id, c.agent_code, c.country, c.ready, c.incomplete),
    added as (
      insert into invoice_queue_counts (${key}, ready, incomplete)
      select ${key}, sum(ready), sum(incomplete) from taken group by ${key} having sum(ready) <> 0 or sum(incomplete) <> 0)
    select count(*) as n from taken`.execute(db)
  return rows[0]?.n ?? 0
}

/** A parcel that came in while its goods were corrected may have missed it. */
export const checkInvoiceQueue: ScheduledTask = {
  name: 'check the queue of invoices',
  seconds: 3_600,
  async run({ database, log }) {
    const differences = await database.systemTransaction(why, async db => {
      await sql`
        select check_waiting_parcels(q.operator_id, array_agg(q.shipment_id)) from invoice_queue q
        where (not q.complete or q.was_incomplete) and q.complete <> parcel_is_complete(q.operator_id, q.shipment_id) group by q.operator_id`.execute(
        db,
      )
      return correctCounts(db)
    })
    if (differences.length > 0) log.warn({ differences }, 'counts of parcels that wait for an invoice were wrong and are corrected')
  },
}

/** A fixed number per deployment's database: writers of the queue never wait for it. */
const checkLock = 732_423

/** One statement sees the queue and its counts at the same instant, so what it adds is right whatever is written meanwhile. */
async function correctCounts(
  db: Db,
): Promise<{ company_id: number; agent_code: string; country: string; ready: number; incomplete: number }[]> {
  // A second check waits here, and sees what the first one added.
  await sql`select pg_advisory_xact_lock(${checkLock})`.execute(db)
  const key = sql`operator_id, company_id, agent_code, country`
  const { rows } = await sql<{ company_id: number; agent_code: string; country: string; ready: number; incomplete: number }>`
    insert into invoice_queue_counts (${key}, ready, incomplete)
    select ${key}, sum(ready), sum(incomplete) from (
      select ${key}, complete::int ready, (not complete)::int incomplete from invoice_queue
      union all select ${key}, -ready, -incomplete from invoice_queue_counts) compared
    group by ${key} having sum(ready) <> 0 or sum(incomplete) <> 0
    returning company_id, agent_code, country, ready, incomplete`.execute(db)
  return rows
}
