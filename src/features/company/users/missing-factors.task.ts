/** Ends sessions that began before the days of grace were over, of people who have set up no second factor. */
import { sql } from 'kysely'
import { endSessionsOf } from '#platform/auth/session-store.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { factorsOf } from './second-factors.queries.ts'

/** Minutes without use, so that no one is signed out in the middle of an order. */
const idleMinutes = 15

export const endSessionsWithoutFactor: ScheduledTask = {
  name: 'end sessions without a second factor after the days of grace',
  seconds: 600,
  async run(services) {
    await endLateSessions(services)
  },
}

export async function endLateSessions(services: Services): Promise<number> {
  const now = services.now()
  const idle = new Date(now.getTime() - idleMinutes * 60_000).toISOString()
  const { rows } = await services.database.systemRead('the clock knows no tenant', db =>
    sql<{ operator_id: number; company_id: number; id: number; began: string }>`
      select u.operator_id, u.company_id, u.id, min(s.created_at) as began
      from users u
        join companies c on c.operator_id = u.operator_id and c.id = u.company_id
        join sessions s on s.operator_id = u.operator_id and s.user_id = u.id
      where u.removed_at is null and c.settings ->> 'second_factor' in ('admins', 'everyone')
        and s.ended_at is null and s.last_used_at < ${idle}
        and not exists (select from user_totp t where t.operator_id = u.operator_id and t.user_id = u.id)
        and not exists (select from user_passkeys p where p.operator_id = u.operator_id and p.user_id = u.id)
      group by u.operator_id, u.company_id, u.id`.execute(db),
  )
  let all = 0
  for (const { operator_id, company_id, id, began } of rows) {
    const context = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    all += await context.transaction(async ({ db, recordEvent, notify }) => {
      const { set_up_by } = await factorsOf(db, id)
      // A session that began later was let in with a factor of the company's sign-in provider.
      if (set_up_by === null || Date.parse(set_up_by) > now.getTime() || Date.parse(began) >= Date.parse(set_up_by)) return 0
      const ended = await endSessionsOf(db, id, now)
      if (ended > 0) {
        await recordEvent({ kind: 'user.sessions_ended', subject: 'user', subject_id: id, data: { ended } })
        notify('people')
      }
      return ended
    })
  }
  return all
}
