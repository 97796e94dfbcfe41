/** How many bytes of files each company has: differences that triggers of `files` write, added up and compared by schedules. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'

const why = 'the clock knows no tenant'

/** So many differences are added up in one transaction, and so many transactions in one run: more follow in the next. */
const batch = 10_000
const batches = 20

export const addUpFileSizes: ScheduledTask = {
  name: 'add up sizes of files',
  seconds: 60,
  async run({ database }) {
    let full = true
    for (let run = 0; full && run < batches; run++) full = (await database.systemTransaction(why, foldFileSizes)) === batch
  },
}

/** Returns how many rows there were beyond one for each company; fewer than a batch means that none is left. */
async function foldFileSizes(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with several as (select operator_id, company_id from file_sizes group by operator_id, company_id having count(*) > 1),
    oldest as (
      select s.operator_id, s.company_id, s.id from file_sizes s join several using (operator_id, company_id)
      order by s.operator_id, s.company_id, s.id limit ${batch} for update of s skip locked),
    taken as (
      delete from file_sizes s using oldest o where s.operator_id = o.operator_id and s.company_id = o.company_id and s.id = o.id
      returning s.operator_id, s.company_id, s.bytes),
    added as (
      insert into file_sizes (operator_id, company_id, bytes)
      select operator_id, company_id, sum(bytes) from taken group by operator_id, company_id)
    select count(*) as n from taken`.execute(db)
  return rows[0]?.n ?? 0
}

/** The first run counts the files of an older database. */
export const checkFileSizes: ScheduledTask = {
  name: 'check sizes of files',
  seconds: 86_400,
  atStart: true,
  async run({ database, log }) {
    const differences = await database.systemTransaction(why, correctFileSizes)
    if (differences.length > 0) log.info({ differences }, 'sizes of files are counted')
  },
}

/** A fixed number per deployment's database: writers of files never wait for it. */
const checkLock = 732_422

/** One statement sees files and counts at the same instant, so what it adds is right whatever is written meanwhile. */
async function correctFileSizes(db: Db): Promise<{ company_id: number; bytes: number }[]> {
  // A second check waits here, and sees what the first one added.
  await sql`select pg_advisory_xact_lock(${checkLock})`.execute(db)
  const { rows } = await sql<{ company_id: number; bytes: number }>`
    insert into file_sizes (operator_id, company_id, bytes)
    select operator_id, company_id, sum(bytes) from (
      select operator_id, company_id, bytes from files where erased_at is null
      union all select operator_id, company_id, -bytes from file_sizes) compared
    group by operator_id, company_id having sum(bytes) <> 0
    returning company_id, bytes`.execute(db)
  return rows
}
