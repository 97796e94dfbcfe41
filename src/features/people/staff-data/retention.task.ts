/** Each night data of staff that need not be kept any longer are deleted. */
import { deleteOldAgreements } from '#features/company/announcements/erase-announcements.commands.ts'
import { endPersonalData } from '#features/people/employees/old-employees.commands.ts'
import { deleteOldPunches } from '#features/people/punch-clock/old-punches.commands.ts'
import { deleteOldPay } from '#features/people/salary/old-pay.commands.ts'
import { deleteOldEntries } from '#features/people/schedule/leavers.commands.ts'
import { deleteOldDays } from '#features/people/timesheet/old-days.commands.ts'
import { deleteOldFigures } from '#features/people/work-figures/old-figures.commands.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { keptFrom } from './retention.rules.ts'

export const endStaffData: ScheduledTask = {
  name: 'delete data of staff that are no longer kept',
  seconds: 86_400,
  async run(services) {
    const deleted = await deleteOldStaffData(services)
    const rows = Object.fromEntries(Object.entries(deleted).filter(([, count]) => count > 0))
    if (Object.keys(rows).length > 0) services.log.info({ rows }, 'data of staff were deleted at the end of their time')
  },
}

/** Answers how many rows of which table. Each part is a transaction of its own. */
export async function deleteOldStaffData({ database, now }: Services): Promise<Record<string, number>> {
  // A day more or less of the local calendar does not matter after five years.
  const today = now().toISOString().slice(0, 10)
  const { hours, pay, leavers, availability, rejects, offers } = keptFrom(today)
  const why = 'the clock knows no tenant'
  return {
    ...(await database.systemTransaction(why, db => deleteOldDays(db, hours))),
    ...(await database.systemTransaction(why, db => deleteOldPunches(db, { before: hours, rejects }))),
    ...(await database.systemTransaction(why, db => deleteOldEntries(db, { before: hours, availability, offers }))),
    ...(await database.systemTransaction(why, db => deleteOldFigures(db, hours))),
    ...(await database.systemTransaction(why, db => deleteOldPay(db, pay))),
    ...(await database.systemTransaction(why, db => deleteOldAgreements(db, leavers))),
    ...(await database.systemTransaction(why, db => endPersonalData(db, today))),
  }
}
