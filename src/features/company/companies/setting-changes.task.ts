/** The schedule that ends old rows of the history of settings. */
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { endOldSettingChanges } from './setting-changes.commands.ts'

export const endSettingChanges: ScheduledTask = {
  name: 'end old changes of settings',
  seconds: 86_400,
  run: ({ database, now }) => database.systemTransaction('the clock knows no tenant', db => endOldSettingChanges(db, now())),
}
