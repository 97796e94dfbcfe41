/** Asks couriers where parcels are: a schedule finds the companies whose parcels are due, and a task of each company asks for them. */
import { sql } from 'kysely'
import { errorOf } from '#domain/thrown.ts'
import { courierSettings } from '#features/shipping/parcel-shops/courier-settings.queries.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { ExternalContext, Services } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { applyCourierEvents } from './courier-events.commands.ts'

/** Parcels that one step takes, and questions to couriers at once. */
const batch = 40
const atOnce = 4
/** Batches of one task: the next schedule goes on. */
const mostBatches = 25
/** Milliseconds that a courier is given for one parcel. */
const patience = 10_000
/** Minutes for which a parcel that is asked for is left alone, and after a courier that gave no answer. */
const leaseMinutes = 15
const failureMinutes = 60

export const askCouriers: ScheduledTask = {
  name: 'ask couriers for parcels',
  seconds: 60,
  run: services => queueTracking(services),
}

export async function queueTracking(services: Services): Promise<void> {
  const due = await services.database.systemTransaction('the clock knows no tenant', db => companiesWithDueParcels(db, services.now()))
  for (const { operator_id, company_id } of due) {
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(({ enqueue }) => enqueue('labels.track', {}, { key: `labels.track:${company_id}` }))
  }
}

async function companiesWithDueParcels(db: Db, now: Date): Promise<{ operator_id: number; company_id: number }[]> {
  const { rows } = await sql<{ operator_id: number; company_id: number }>`
    select c.operator_id, c.id company_id from companies c
    where exists (select from shipments s where s.operator_id = c.operator_id and s.company_id = c.id and s.next_track_at <= ${now.toISOString()})
      and not has_live_job('labels.track:' || c.id)
    order by c.id limit 500`.execute(db)
  return rows
}

interface DueParcel {
  id: number
  order_id: number | null
  agent_code: string
  tracking_no: string
}

/** Takes parcels that are due for a while, so that two servers do not ask for the same. */
async function takeDueParcels(db: Db, company_id: number, now: Date): Promise<DueParcel[]> {
  const until = new Date(now.getTime() + leaseMinutes * 60_000).toISOString()
  const { rows } = await sql<DueParcel>`
    update shipments s set next_track_at = ${until}
    where s.operator_id = current_operator_id() and s.company_id = ${company_id} and s.id = any (array(
      select d.id from shipments d
      where d.operator_id = current_operator_id() and d.company_id = ${company_id} and d.next_track_at <= ${now.toISOString()}
      order by d.next_track_at limit ${batch} for no key update skip locked))
    returning s.id, s.agent_code, coalesce(s.tracking_no, '') tracking_no, s.order_id`.execute(db)
  return rows
}

async function trackParcel(outside: ExternalContext, parcel: DueParcel, settings: Record<string, string>): Promise<void> {
  const adapter = courier(parcel.agent_code)
  const { signal, services, now } = outside
  try {
    if (!adapter?.capabilities.tracking) return await askAgain(outside, parcel.id, null)
    const events = await adapter.track(
      { tracking_no: parcel.tracking_no, settings },
      AbortSignal.any([signal, services.closing, AbortSignal.timeout(patience)]),
    )
    await outside.transaction(context => applyCourierEvents(context, parcel.id, events, parcel.order_id))
  } catch (error) {
    services.log.warn(
      { shipment: parcel.id, agent_code: parcel.agent_code, error: errorOf(error).name },
      'a courier did not say where a parcel is',
    )
    await askAgain(outside, parcel.id, new Date(now().getTime() + failureMinutes * 60_000))
  }
}

const askAgain = (outside: ExternalContext, id: number, at: Date | null) =>
  outside.transaction(async ({ db }) => {
    await db
      .updateTable('shipments')
      .set({ next_track_at: at?.toISOString() ?? null })
      .where('id', '=', id)
      .execute()
  })

export const trackingTasks = {
  'labels.track': async (_, outside) => {
    const { company_id } = outside.scope
    for (let done = 0; done < mostBatches && !outside.services.closing.aborted; done++) {
      const { parcels, settings } = await outside.transaction(async ({ db, services, now }) => {
        const parcels = await takeDueParcels(db, company_id, now())
        const agents = [...new Set(parcels.map(parcel => parcel.agent_code))]
        const settings = new Map<string, Record<string, string>>()
        for (const agent of agents) settings.set(agent, await courierSettings(db, services.vault, company_id, agent))
        return { parcels, settings }
      })
      for (let from = 0; from < parcels.length; from += atOnce)
        await Promise.all(
          parcels.slice(from, from + atOnce).map(parcel => trackParcel(outside, parcel, settings.get(parcel.agent_code) ?? {})),
        )
      if (parcels.length < batch) return
    }
  },
} satisfies Pick<Tasks, 'labels.track'>
