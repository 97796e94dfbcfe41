/** Clock-ins without a clock-out: mails an hour after the shift, and a flag after fourteen hours; no end is guessed. */
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { flagMissingOut, remindLeads, remindPerson } from './punches.commands.ts'
import { forgottenPunches, lockedPunch, punchesForLeads, punchesToRemind } from './punches.queries.ts'

export const watchPunches: ScheduledTask = {
  name: 'flag forgotten clock-outs',
  seconds: 60,
  run: async services => {
    await remindOfClockOuts(services)
    await flagForgotten(services)
  },
}

const contextOf = (services: Services, { operator_id, company_id }: { operator_id: number; company_id: number }) =>
  createSystemContext(services, { operator_id, company_id, companies: [company_id] })

export async function flagForgotten(services: Services): Promise<void> {
  const due = await services.database.systemTransaction('the clock knows no tenant', db => forgottenPunches(db, services.now()))
  for (const { id, ...tenant } of due)
    await contextOf(services, tenant).transaction(async context => {
      const punch = await lockedPunch(context.db, id)
      if (punch.state === 'open' && punch.ended_at === null) await flagMissingOut(context, punch)
    })
}

/** The person first, and an hour later the leads: once for each entry. */
export async function remindOfClockOuts(services: Services): Promise<void> {
  const read = <T>(query: (db: Parameters<typeof punchesToRemind>[0], now: Date) => Promise<T>) =>
    services.database.systemTransaction('the clock knows no tenant', db => query(db, services.now()))
  for (const { id, ...tenant } of await read(punchesToRemind))
    await contextOf(services, tenant).transaction(context => remindPerson(context, id))
  const companies = new Map<string, { operator_id: number; company_id: number; ids: number[] }>()
  for (const { id, operator_id, company_id } of await read(punchesForLeads)) {
    const key = `${operator_id} ${company_id}`
    const known = companies.get(key)
    if (known) known.ids.push(id)
    else companies.set(key, { operator_id, company_id, ids: [id] })
  }
  for (const { ids, ...tenant } of companies.values()) await contextOf(services, tenant).transaction(context => remindLeads(context, ids))
}
