/** What the clock does to returns: their customers are reminded to send them, those that are not sent end, and pieces that did not come are missing. */
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { setMissing } from './desk.commands.ts'
import { settleReturn, takeReturn } from './return-rows.commands.ts'
import { expireReturn, remindOfReturn } from './returns.commands.ts'

const day = 86_400_000
/** So long before a return ends its customer is reminded, and not sooner than this after its approval. */
const reminderDays = 5
const calmDays = 2

export const endReturns: ScheduledTask = {
  name: 'end returns that were never sent',
  seconds: 600,
  run: services => endUnusedReturns(services),
}

export async function endUnusedReturns(services: Services): Promise<void> {
  const now = services.now().toISOString()
  const { unused, ending, waiting } = await services.database.systemTransaction('the clock knows no tenant', async db => ({
    unused: await db
      .selectFrom('returns')
      .select(['operator_id', 'company_id', 'id'])
      .where('status', '=', 'approved')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(200)
      .execute(),
    ending: await db
      .selectFrom('returns')
      .select(['operator_id', 'company_id', 'id'])
      .where('status', '=', 'approved')
      .where('expires_at', '>', now)
      .where('expires_at', '<=', new Date(services.now().getTime() + reminderDays * day).toISOString())
      .where('approved_at', '<=', new Date(services.now().getTime() - calmDays * day).toISOString())
      .where('reminded_at', 'is', null)
      .orderBy('expires_at')
      .limit(200)
      .execute(),
    waiting: await db
      .selectFrom('returns as r')
      .select(['r.operator_id', 'r.company_id', 'r.id'])
      .where('r.status', 'in', ['arrived', 'awaiting_review'])
      .where('r.arrived_at', '<=', new Date(services.now().getTime() - day).toISOString())
      .where(eb =>
        eb.exists(
          eb
            .selectFrom('return_items as i')
            .select('i.id')
            .whereRef('i.operator_id', '=', 'r.operator_id')
            .whereRef('i.return_id', '=', 'r.id')
            .where('i.custody', 'in', ['advised', 'in_transit']),
        ),
      )
      .orderBy('r.arrived_at')
      .limit(500)
      .execute(),
  }))
  const contextOf = ({ operator_id, company_id }: { operator_id: number; company_id: number }) =>
    createSystemContext(services, { operator_id, company_id, companies: [company_id] })
  for (const row of unused)
    await contextOf(row).transaction(async tools => {
      const taken = await takeReturn(tools.db, row.id)
      if (taken.status === 'approved') await expireReturn(tools, row.id)
    })
  for (const row of ending) await contextOf(row).transaction(tools => remindOfReturn(tools, row.id))
  for (const row of waiting)
    await contextOf(row).transaction(async tools => {
      const taken = await takeReturn(tools.db, row.id)
      const { missing_days } = (await companySettings(tools.db, row.company_id)).returns
      if (taken.arrived_at === null || Date.parse(taken.arrived_at) + missing_days * day > services.now().getTime()) return
      const items = await tools.db
        .selectFrom('return_items')
        .select(['id', 'name'])
        .where('return_id', '=', row.id)
        .where('custody', 'in', ['advised', 'in_transit'])
        .execute()
      if (items.length === 0) return
      await setMissing(tools, taken, items)
      await settleReturn(tools, taken)
    })
}
