/** The schedule that looks at the pickups of every operator each minute. */
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { raiseAlarms } from './deadline-alarms.commands.ts'
import { boardOf } from './deadline-board.queries.ts'
import { recordPoints } from './deadline-points.commands.ts'

export const watchDeadlines: ScheduledTask = { name: 'pickups of the day', seconds: 60, run: lookAtDeadlines }

export async function lookAtDeadlines(services: Services): Promise<void> {
  const companies = await services.database.systemRead('the clock knows no tenant', db =>
    db
      .selectFrom('companies as c')
      .select(['c.operator_id', 'c.id', 'c.is_main', 'c.name'])
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('deadlines as d')
            .select('d.id')
            .whereRef('d.operator_id', '=', 'c.operator_id')
            .where('d.active', '=', true)
            .where('d.deleted_at', 'is', null),
        ),
      )
      .orderBy('c.id')
      .execute(),
  )
  for (const [operator_id, some] of Map.groupBy(companies, company => company.operator_id)) {
    const main = some.find(company => company.is_main)
    if (!main || services.closing.aborted) continue
    const scope = { operator_id, company_id: main.id, companies: some.map(company => company.id) }
    await createSystemContext(services, scope).transaction(async context => {
      const board = await boardOf(context.db, { now: services.now(), figures: false, name: main.name, owner: main })
      await recordPoints(context.db, board)
      await raiseAlarms(context, board)
    })
  }
}
