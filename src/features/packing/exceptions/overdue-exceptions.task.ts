/** The watch over exceptions: an overdue one is said at once, and again each time that its lateness doubles. */
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { overdueExceptions } from './exceptions.queries.ts'

export const watchExceptions: ScheduledTask = {
  name: 'remind of overdue exceptions',
  seconds: 60,
  run: services => remindOfExceptions(services),
}

export async function remindOfExceptions(services: Services): Promise<void> {
  const overdue = await services.database.systemTransaction('the clock knows no tenant', db => overdueExceptions(db, services.now()))
  for (const { operator_id, company_id, id, order_id, kind, owner_name, due_at, reminders } of overdue) {
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(async ({ db, recordEvent, notify }) => {
      const { numUpdatedRows } = await db
        .updateTable('packing_exceptions')
        .set({ reminders: reminders + 1 })
        .where('id', '=', id)
        .where('reminders', '=', reminders)
        .where('resolved_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      await recordEvent({
        kind: 'exception.overdue',
        order_id,
        company_id,
        subject: 'exception',
        subject_id: id,
        data: { exception: kind, owner: owner_name, due_at: new Date(due_at).toISOString() },
      })
      notify('exception', id, company_id)
    })
  }
}
