/** Asks accounts at night for their methods: a schedule finds the companies, and a task of each asks. */
import { sql } from 'kysely'
import { errorOf } from '#domain/thrown.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { couriers, mustBeCourier } from '#integrations/couriers/couriers.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { keepMethods, markAsked } from './courier-methods.commands.ts'
import { courierSettings } from './courier-settings.queries.ts'

/** Hours of the company in which its accounts are asked, and for how many they are then left alone. */
const nightHours = [1, 2, 3, 4]
const pauseHours = 12
/** Milliseconds that a courier is given for all of its pages. */
const patience = 60_000

export const readMethodsAtNight: ScheduledTask = {
  name: 'read the methods of accounts',
  seconds: 1_200,
  run: services => queueMethods(services),
}

export const isNight = (now: Date, time_zone: string): boolean =>
  nightHours.includes(Number(new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone: time_zone }).format(now)))

export async function queueMethods(services: Services): Promise<void> {
  const agents = [...couriers].filter(([, one]) => one.accountMethods).map(([code]) => code)
  const before = new Date(services.now().getTime() - pauseHours * 3_600_000).toISOString()
  const due = await services.database.systemTransaction('the clock knows no tenant', async db => {
    const { rows } = await sql<{ operator_id: number; company_id: number; agent_code: string; settings: unknown }>`
      select s.operator_id, s.company_id, s.agent_code, c.settings
      from courier_settings s join companies c on c.operator_id = s.operator_id and c.id = s.company_id
      where c.closed_at is null and s.agent_code = any (${agents}) and coalesce(s.methods_asked_at, '-infinity') < ${before}
        and not has_live_job('couriers.methods:' || s.company_id || ':' || s.agent_code)
      order by s.company_id limit 2000`.execute(db)
    return rows
  })
  for (const { operator_id, company_id, agent_code, settings } of due) {
    if (!isNight(services.now(), CompanySettings.parse(settings).time_zone)) continue
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(({ enqueue }) =>
      enqueue('couriers.methods', { agent_code }, { key: `couriers.methods:${company_id}:${agent_code}` }),
    )
  }
}

export const methodTasks = {
  /** An account that cannot be read keeps its methods, and is asked again the next night. */
  'couriers.methods': async ({ agent_code }, { transaction, scope: { company_id }, services, signal, now }) => {
    const { accountMethods } = mustBeCourier(agent_code)
    const settings = await transaction(async ({ db }) =>
      (await markAsked(db, company_id, agent_code, now().toISOString()))
        ? courierSettings(db, services.vault, company_id, agent_code)
        : undefined,
    )
    if (!settings || !accountMethods) return
    try {
      const methods = await accountMethods(settings, AbortSignal.any([signal, services.closing, AbortSignal.timeout(patience)]))
      await transaction(context => keepMethods(context, company_id, agent_code, methods))
    } catch (error) {
      services.log.warn({ company: company_id, agent_code, error: errorOf(error).name }, 'the methods of an account were not read')
    }
  },
} satisfies Pick<Tasks, 'couriers.methods'>
