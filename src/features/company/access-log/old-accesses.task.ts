/** The schedule that ends old rows of the access log. */
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { endOldAccesses } from './access-log.commands.ts'

export const endAccessLog: ScheduledTask = {
  name: 'end old rows of the access log',
  seconds: 86_400,
  run: ({ database, now }) => database.systemTransaction('the clock knows no tenant', db => endOldAccesses(db, now())),
}
