/** Reads the parcel shops of couriers at night: a schedule finds what is old, and a task of each courier and country reads. */
import { sql } from 'kysely'
import { errorOf } from '#domain/thrown.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import type { Courier } from '#integrations/couriers/courier.ts'
import { couriers, mustBeCourier } from '#integrations/couriers/couriers.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { ExternalContext, Services } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { courierSettings } from './courier-settings.queries.ts'
import { endReading, keepParcelShops, replaceShopList, startReading } from './parcel-shops.commands.ts'
import { duePostcodes } from './parcel-shops.queries.ts'
import { isNight } from './read-methods.task.ts'

/** Hours for which a list is left alone. */
const pauseHours = 20
/** Lists that one run of the schedule queues, of the longest unread first: no courier waits for another. */
const mostLists = 200
/** Postcodes that one task asks for, and questions at once: the next task goes on with the longest unasked. */
const mostPostcodes = 300
const atOnce = 2
/** Milliseconds for a list, and for one question near a postcode. */
const listPatience = 150_000
const nearPatience = 10_000

export const readShopsAtNight: ScheduledTask = {
  name: 'read parcel shops',
  seconds: 1_200,
  run: services => queueShopLists(services),
}

export const shopsKey = (agent_code: string, country: string, operator_id: number): string =>
  `couriers.shops:${operator_id}:${agent_code}:${country}`

export async function queueShopLists(services: Services): Promise<void> {
  const whole = [...couriers].flatMap(([code, one]) => (one.allShops?.countries ?? []).map(country => ({ code, country })))
  const near = [...couriers].filter(([, one]) => one.capabilities.parcel_shops).map(([code]) => code)
  const before = new Date(services.now().getTime() - pauseHours * 3_600_000).toISOString()
  const due = await services.database.systemTransaction('the clock knows no tenant', async db => {
    const { rows } = await sql<{ operator_id: number; company_id: number; agent_code: string; country: string; settings: unknown }>`
      with accounts as (
        select s.operator_id, s.agent_code, min(s.company_id) company_id from courier_settings s
          join companies c on c.operator_id = s.operator_id and c.id = s.company_id
          where c.closed_at is null group by s.operator_id, s.agent_code),
      wanted as (
        select a.operator_id, a.agent_code, w.country from accounts a
          join unnest(${whole.map(one => one.code)}::text[], ${whole.map(one => one.country)}::text[]) w(agent_code, country)
            on w.agent_code = a.agent_code
        union select l.operator_id, l.agent_code, l.country from parcel_shop_lists l where l.agent_code = any (${near}::text[]))
      select w.operator_id, a.company_id, w.agent_code, w.country, c.settings
      from wanted w
        join accounts a on a.operator_id = w.operator_id and a.agent_code = w.agent_code
        join companies c on c.operator_id = a.operator_id and c.id = a.company_id
        left join parcel_shop_lists l on l.operator_id = w.operator_id and l.agent_code = w.agent_code and l.country = w.country
      where coalesce(l.asked_at, '-infinity') < ${before}
        and not has_live_job('couriers.shops:' || w.operator_id || ':' || w.agent_code || ':' || w.country)
      order by coalesce(l.asked_at, '-infinity'), w.operator_id, w.agent_code, w.country limit 2000`.execute(db)
    return rows
  })
  let queued = 0
  for (const { operator_id, company_id, agent_code, country, settings } of due) {
    if (queued >= mostLists) return
    if (!isNight(services.now(), CompanySettings.parse(settings).time_zone)) continue
    queued++
    const system = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
    await system.transaction(({ enqueue }) =>
      enqueue('couriers.shops', { agent_code, country }, { key: shopsKey(agent_code, country, operator_id) }),
    )
  }
}

/** All shops in one answer and one transaction. False where the account has no such list. */
async function readWholeList(
  { transaction, services, signal, now }: ExternalContext,
  { capabilities: { agent_code }, allShops }: Courier,
  country: string,
  settings: Record<string, string>,
): Promise<boolean> {
  const shops = await allShops?.read({ country, settings }, AbortSignal.any([signal, services.closing, AbortSignal.timeout(listPatience)]))
  if (!shops) return false
  await transaction(async ({ db }) => {
    const at = now().toISOString()
    const read = await replaceShopList(db, { agent_code, country, others: allShops?.others }, shops, at)
    await endReading(db, { agent_code, country }, { shops: read, read_at: at })
  })
  return true
}

/** The postcodes that are known, the longest unasked first: a task that is broken off goes on where it stopped. */
async function readPostcodes(
  { transaction, services, signal, now }: ExternalContext,
  adapter: Courier,
  country: string,
  settings: Record<string, string>,
): Promise<void> {
  const { agent_code } = adapter.capabilities
  const before = new Date(now().getTime() - pauseHours * 3_600_000).toISOString()
  const due = await transaction(({ db }) => duePostcodes(db, { agent_code, country }, before, mostPostcodes))
  for (let from = 0; from < due.length && !services.closing.aborted; from += atOnce)
    await Promise.all(
      due.slice(from, from + atOnce).map(async ({ postcode }) => {
        const shops = await adapter.parcelShops(
          { country, postcode, address: null, settings },
          AbortSignal.any([signal, services.closing, AbortSignal.timeout(nearPatience)]),
        )
        await transaction(({ db }) => keepParcelShops(db, agent_code, shops, now().toISOString(), { country, postcode }))
      }),
    )
}

export const shopTasks = {
  /** A list that cannot be read stays as it is, and is read again the next night. */
  'couriers.shops': async ({ agent_code, country }, outside) => {
    const { transaction, scope, services, now } = outside
    const adapter = mustBeCourier(agent_code)
    const { company_id } = scope
    const settings = await transaction(async ({ db }) => {
      await startReading(db, { agent_code, country }, now().toISOString())
      return courierSettings(db, services.vault, company_id, agent_code)
    })
    try {
      if (!(await readWholeList(outside, adapter, country, settings))) await readPostcodes(outside, adapter, country, settings)
    } catch (error) {
      services.log.warn({ company: company_id, agent_code, country, error: errorOf(error).name }, 'parcel shops could not be read')
      await transaction(({ db }) => endReading(db, { agent_code, country }, { failure: errorOf(error).message }))
    }
    await transaction(async ({ notify }) => notify('courier_settings', undefined, company_id))
  },
} satisfies Pick<Tasks, 'couriers.shops'>
