/** Each night data of staff that need not be kept any longer are deleted. */
import { deleteOldAgreements } from '#features/company/announcements/erase-announcements.commands.ts'
import { endPersonalData } from '#features/people/employees/old-employees.commands.ts'
import { deleteOldPunches } from '#features/people/punch-clock/old-punches.commands.ts'
import { deleteOldPay } from '#features/people/salary/old-pay.commands.ts'
import { deleteOldEntries } from '#features/people/schedule/leavers.commands.ts'
import { deleteOldDays } from '#features/people/timesheet/old-days.commands.ts'
import { deleteOldFigures } from '#features/people/work-figures/old-figures.commands.ts'
import { addCounts, allOperators, inBatches } from '#platform/database/batches.ts'
import type { Db } from '#platform/database/database.ts'
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

/** Answers how many rows of which table: one operator after the other, each part in transactions of bounded size. */
export async function deleteOldStaffData({ database, now }: Services): Promise<Record<string, number>> {
  // A day more or less of the local calendar does not matter after five years.
  const today = now().toISOString().slice(0, 10)
  const { hours, pay, leavers, availability, rejects, offers } = keptFrom(today)
  const parts: readonly ((db: Db, operator_id: number) => Promise<Record<string, number>>)[] = [
    (db, operator) => deleteOldDays(db, operator, hours),
    (db, operator) => deleteOldPunches(db, operator, { before: hours, rejects }),
    (db, operator) => deleteOldEntries(db, operator, { before: hours, availability, offers }),
    (db, operator) => deleteOldFigures(db, operator, hours),
    (db, operator) => deleteOldPay(db, operator, pay),
    (db, operator) => deleteOldAgreements(db, operator, leavers),
    (db, operator) => endPersonalData(db, operator, today),
  ]
  let deleted: Record<string, number> = {}
  for (const operator of await allOperators(database))
    for (const part of parts)
      deleted = addCounts(deleted, await inBatches(database, 'data of staff end with their time', db => part(db, operator)))
  return deleted
}
