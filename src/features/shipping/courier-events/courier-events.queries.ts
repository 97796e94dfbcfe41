/** Who learns of the events of couriers, as it is set. */
import { sql } from 'kysely'
import { isOneOf } from '#domain/objects.ts'
import { mostTags } from '#features/company/tags/tags.codes.ts'
import { executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import { type CourierEvent, courierEvents, type UsAction } from './courier-events.codes.ts'
import { type EventAudience, usualAudience } from './courier-events.rules.ts'
import type { CourierEventSettings } from './courier-events.schemas.ts'

const mostTemplates = 500

const rowsOf = (db: Db, company_id: number, agent_code: string) =>
  db
    .selectFrom('courier_event_settings')
    .select(['event', 'to_shop', 'to_recipient', 'to_us', 'us_action', 'tag_id', 'template_id', 'version'])
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .execute()

const templatesOf = (db: Db, company_id: number) =>
  db
    .selectFrom('message_templates')
    .select(['id', 'name', 'channel', 'locale'])
    .where('company_id', '=', company_id)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .limit(mostTemplates)
    .execute()

export async function courierEventSettingsOf(db: Db, company_id: number, agent_code: string): Promise<CourierEventSettings> {
  const rows = await rowsOf(db, company_id, agent_code)
  const templates = (await templatesOf(db, company_id)).map(row => ({
    ...row,
    channel: row.channel === 'sms' ? ('sms' as const) : ('email' as const),
  }))
  const tags = await db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('company_id', '=', company_id)
    .orderBy('code')
    .limit(mostTags)
    .execute()
  return {
    agent_code,
    version: Math.max(0, ...rows.map(row => row.version)),
    events: courierEvents.map(event => {
      const row = rows.find(one => one.event === event)
      const { to_shop, to_recipient, to_us, us_action, tag_id, template_id } = row ?? usualAudience(event)
      const known = templates.some(template => template.id === template_id)
      return {
        ...{ event, to_shop, to_recipient, to_us, us_action, tag_id },
        template_id: known ? template_id : null,
        is_default: row === undefined,
      }
    }),
    tags,
    templates,
  }
}

/** Whom an event of a courier tells. */
export async function audienceOf(db: Db, company_id: number, agent_code: string, event: CourierEvent): Promise<EventAudience> {
  const row = (await rowsOf(db, company_id, agent_code)).find(one => one.event === event)
  return row ?? usualAudience(event)
}

/** Whether an event of a courier sends this template to the recipient. */
export async function sendsTemplate(db: Db, template_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('courier_event_settings')
    .select('event')
    .where('to_recipient', '=', true)
    .where('template_id', '=', template_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Couriers and events of a company that send a template of their own to the recipient. */
export async function eventsWithTemplate(db: Db, company_id: number): Promise<CourierEvent[]> {
  const rows = await db
    .selectFrom('courier_event_settings')
    .select('event')
    .distinct()
    .where('company_id', '=', company_id)
    .where('to_recipient', '=', true)
    .where('template_id', 'is not', null)
    .execute()
  return rows.flatMap(({ event }) => (isOneOf(courierEvents, event) ? [event] : []))
}

export interface ReportedShipment {
  shipment_id: number
  event: CourierEvent
}

/** What the warehouse gets of a report. */
export interface WantedReport extends ReportedShipment {
  us_action: UsAction
  tag_id: number | null
}

/** Those of the reports that the warehouse learns of. */
export async function reportsToUs(db: Db, reports: readonly ReportedShipment[]): Promise<WantedReport[]> {
  if (reports.length === 0) return []
  const rows = await executeWithGenericPlan(
    db,
    sql<{
      shipment_id: number
      event: string
      to_us: boolean | null
      us_action: UsAction | null
      tag_id: number | null
    }>`
    select r.shipment_id, r.event, c.to_us, c.us_action, c.tag_id
    from unnest(${reports.map(one => one.shipment_id)}::bigint[], ${reports.map(one => one.event)}::text[]) r(shipment_id, event)
      join shipments s on s.operator_id = current_operator_id() and s.company_id = any (current_company_ids()) and s.id = r.shipment_id
      left join courier_event_settings c on c.operator_id = s.operator_id and c.company_id = s.company_id
        and c.agent_code = s.agent_code and c.event = r.event`,
  )
  return rows.flatMap(({ shipment_id, event, to_us, us_action, tag_id }) =>
    isOneOf(courierEvents, event) && (to_us ?? usualAudience(event).to_us)
      ? [{ shipment_id, event, us_action: us_action ?? 'exception', tag_id }]
      : [],
  )
}

/** In SQL: an outbox row `o` of a shipment is about an event of which its courier does not notify the shop. */
export const withheldFromShop = (o: string): string => `exists (select from shipments s
  join courier_event_settings c on c.operator_id = s.operator_id and c.company_id = s.company_id and c.agent_code = s.agent_code
  where s.operator_id = current_operator_id() and s.company_id = ${o}.company_id and s.id = ${o}.object_id and not c.to_shop
    and c.event = case ${o}.kind when 'shipment.booked' then 'registered' when 'shipment.returned_to_sender' then 'returned'
      when 'shipment.problem_reported' then ${o}.payload ->> 'reason' else replace(${o}.kind, 'shipment.', '') end)`
