/** The schedules that add up the changes of order counts, and that compare the counts with the orders. */
import { sql } from 'kysely'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { checkCounts, foldCountChanges } from './order-counts.commands.ts'

export const addUpOrderCounts: ScheduledTask = {
  name: 'add up changes of order counts',
  seconds: 5,
  run: services => addUpCounts(services),
}

/** So many changes are added up in one transaction, and so many transactions in one run: more follow in the next. */
const batch = 10_000
const batches = 20

export async function addUpCounts({ database, now }: Services): Promise<void> {
  let full = true
  for (let run = 0; full && run < batches; run++)
    full = (await database.systemTransaction('the clock knows no tenant', db => foldCountChanges(db, batch, now()))) === batch
}

export const checkOrderCounts: ScheduledTask = { name: 'check order counts', seconds: 15, run: services => checkDueCounts(services) }

/** Hours after which a company is checked again. */
const checkedEvery = 6
/** Companies of one run, each in a transaction of its own, and milliseconds after which the others wait for the next run. */
const companies = 200
const longestRun = 10_000

export async function checkDueCounts({ database, log, now }: Services): Promise<void> {
  const at = now()
  const due = await database.systemRead('the clock knows no tenant', async db => {
    const { rows } = await sql<{ operator_id: number; company_id: number }>`
      select c.operator_id, c.id as company_id from companies c
      left join order_count_checks k on k.operator_id = c.operator_id and k.company_id = c.id
      where k.company_id is null or not k.by_deadline or k.checked_at < ${at.toISOString()}::timestamptz - make_interval(hours => ${checkedEvery})
      order by k.checked_at nulls first, c.operator_id, c.id limit ${companies}`.execute(db)
    return rows
  })
  const until = performance.now() + longestRun
  for (const company of due) {
    if (performance.now() > until) return
    const { first, differences } = await database.systemTransaction('the clock knows no tenant', db => checkCounts(db, company, at))
    if (!first && differences.length > 0) log.warn({ ...company, differences }, 'counts of orders were wrong and are corrected')
  }
}
