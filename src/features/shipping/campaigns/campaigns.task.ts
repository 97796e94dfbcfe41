/** Forgets which orders saw a campaign; what was counted stays. */
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { forgetViews } from './campaigns.commands.ts'

export const forgetCampaignViews: ScheduledTask = {
  name: 'forget which orders saw campaigns',
  seconds: 3_600,
  run: async services => {
    await services.database.systemTransaction('the clock knows no tenant', db => forgetViews(db, services.now()))
  },
}
