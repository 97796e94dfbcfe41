/** Forgets links that ended long ago. */
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { forgetLinks } from './decision-links.commands.ts'

export const tidyLinks: ScheduledTask = {
  name: 'forget links by which recipients answered',
  seconds: 3_600,
  run: async services => {
    await services.database.systemTransaction('the clock knows no tenant', db => forgetLinks(db, services.now()))
  },
}
