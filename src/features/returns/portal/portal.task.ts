/** Forgets links that have ended, and photos of returns that were never sent. */
import { createSystemContext } from '#platform/http/context.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { dropPhotos, endLinks } from './portal.commands.ts'

const why = 'the clock knows no tenant'

export const tidyPortal: ScheduledTask = {
  name: 'forget ended links and unused photos of the return portal',
  seconds: 3_600,
  async run(services) {
    await services.database.systemTransaction(why, db => endLinks(db, services.now()))
    const yesterday = new Date(services.now().getTime() - 86_400_000).toISOString()
    const companies = await services.database.systemRead(why, db =>
      db
        .selectFrom('portal_photos')
        .select(['operator_id', 'company_id'])
        .distinct()
        .where('created_at', '<', yesterday)
        .limit(1_000)
        .execute(),
    )
    for (const { operator_id, company_id } of companies)
      await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(dropPhotos)
  },
}
