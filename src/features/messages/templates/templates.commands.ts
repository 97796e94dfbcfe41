/** Writes templates of messages; their company listens to the occasions that an active one has. */
import { conflict } from '#contract/errors.ts'
import { changeDestination, createDestination, removeDestination } from '#features/deliveries/outbox/outbox.commands.ts'
import type { OutboxType } from '#features/deliveries/outbox/public-events.rules.ts'
import type { CourierEvent } from '#features/shipping/courier-events/courier-events.codes.ts'
import { eventsWithTemplate } from '#features/shipping/courier-events/courier-events.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type MessageTrigger, mostTemplates } from './templates.codes.ts'
import { templateById, templatesOf, withoutLayout } from './templates.queries.ts'
import type { MessageTemplate, TemplateFields } from './templates.schemas.ts'

/** The kind of destination in the outbox. */
const messageKind = 'message'

/** What in the outbox is the occasion of which message. */
export const occasions: Readonly<Record<Exclude<MessageTrigger, 'manual'>, OutboxType>> = {
  order_received: 'order.created',
  on_hold_question: 'order.held',
  item_missing_question: 'order.question',
  partially_shipped: 'order.partially_packed',
  shipped: 'order.packed',
  handed_over: 'order.handed_over',
  out_for_delivery: 'shipment.out_for_delivery',
  ready_for_pickup: 'shipment.ready_for_pickup',
  delivered: 'shipment.delivered',
  all_delivered: 'order.delivered',
  delivery_failed: 'shipment.delivery_failed',
  address_changed: 'order.address_changed',
  parcel_shop_changed: 'order.parcel_shop_changed',
  return_approved: 'return.approved',
  return_ends_soon: 'return.reminder',
  return_rejected: 'return.rejected',
  return_received: 'return.arrived',
  return_item_missing: 'return.item_missing',
  refund_confirmed: 'return.refund_confirmed',
}

/** What in the outbox an event of a courier is. */
const courierEventTypes: Readonly<Record<CourierEvent, OutboxType>> = {
  registered: 'shipment.booked',
  handed_over: 'shipment.handed_over',
  in_transit: 'shipment.in_transit',
  customs: 'shipment.problem_reported',
  out_for_delivery: 'shipment.out_for_delivery',
  ready_for_pickup: 'shipment.ready_for_pickup',
  delivered: 'shipment.delivered',
  delivery_failed: 'shipment.delivery_failed',
  delayed: 'shipment.problem_reported',
  address_problem: 'shipment.problem_reported',
  returning: 'shipment.returning',
  returned: 'shipment.returned_to_sender',
}

/** Without an active template, or one that an event of a courier sends, the outbox makes no deliveries for messages at all. */
export async function listen(db: Db, company_id: number): Promise<void> {
  const active = (await templatesOf(db, company_id)).filter(template => template.active)
  const reported = (await eventsWithTemplate(db, company_id)).map(event => courierEventTypes[event])
  const events = [...new Set([...active.flatMap(({ trigger }) => (trigger === 'manual' ? [] : [occasions[trigger]])), ...reported])]
  const known = await db
    .selectFrom('outbox_destinations')
    .select('id')
    .where('company_id', '=', company_id)
    .where('kind', '=', messageKind)
    .executeTakeFirst()
  if (!known && events.length > 0) await createDestination(db, messageKind, events)
  if (known && events.length > 0) await changeDestination(db, known.id, { events, active: true })
  if (known && events.length === 0) await removeDestination(db, known.id)
}

/** Templates get their numbers one after the other, and one of an occasion is active in each language. */
const lockCompany = ({ db, scope }: Context) =>
  db.selectFrom('companies').select('id').where('id', '=', scope.company_id).forUpdate().execute()

async function mustBeTheOnlyActive(
  { db, scope }: Context,
  id: number,
  { active, trigger, channel, locale }: TemplateFields,
): Promise<void> {
  if (!active || trigger === 'manual') return
  const others = await templatesOf(db, scope.company_id, { trigger, channel, locale })
  const other = others.find(one => one.active && one.id !== id)
  if (other)
    throw conflict(
      'template_active',
      '{{name}} is active for this occasion, channel and language. Switch it off first.',
      { name: other.name },
      { fields: { active: 'Another template is active' } },
    )
}

async function changed(context: Context, id: number): Promise<MessageTemplate> {
  const { db, scope, recordEvent } = context
  await listen(db, scope.company_id)
  const template = withoutLayout(await templateById(db, scope.company_id, id))
  await recordEvent({
    kind: 'message_template.set',
    subject: 'message_template',
    subject_id: id,
    data: { name: template.name, trigger: template.trigger, channel: template.channel, locale: template.locale, active: template.active },
  })
  return template
}

/** The number of the last template of all; the next one who adds one waits. */
async function lastIndex(context: Context): Promise<number> {
  const { db, scope } = context
  await lockCompany(context)
  const { count, last } = await db
    .selectFrom('message_templates')
    .select(eb => [
      eb.fn.countAll<number>().filterWhere('removed_at', 'is', null).as('count'),
      eb.fn.max<number | null>('index').as('last'),
    ])
    .where('company_id', '=', scope.company_id)
    .executeTakeFirstOrThrow()
  if (count >= mostTemplates) throw conflict('templates_full', 'There are {{count}} templates already. Remove one first.', { count })
  return last ?? 0
}

export async function createTemplate(context: Context, fields: TemplateFields, layout: string): Promise<MessageTemplate> {
  const { db, now } = context
  const last = await lastIndex(context)
  await mustBeTheOnlyActive(context, 0, fields)
  const { id } = await db
    .insertInto('message_templates')
    .values({ ...fields, blocks: JSON.stringify(fields.blocks), layout, index: last + 1, updated_at: now().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return changed(context, id)
}

export async function updateTemplate(
  context: Context,
  id: number,
  version: number,
  fields: TemplateFields,
  layout: string,
): Promise<MessageTemplate> {
  const { db, scope, now } = context
  await lockCompany(context)
  const current = await templateById(db, scope.company_id, id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: withoutLayout(current) })
  await mustBeTheOnlyActive(context, id, fields)
  await db
    .updateTable('message_templates')
    .set(eb => ({
      ...fields,
      blocks: JSON.stringify(fields.blocks),
      layout,
      version: eb('version', '+', 1),
      updated_at: now().toISOString(),
    }))
    .where('id', '=', id)
    .execute()
  return changed(context, id)
}

/** Takes a removal back, with what it was. */
export async function restoreTemplate(context: Context, id: number, fields: TemplateFields, layout: string): Promise<MessageTemplate> {
  const { db, scope, now } = context
  await lastIndex(context)
  await mustBeTheOnlyActive(context, id, fields)
  await db
    .updateTable('message_templates')
    .set(eb => ({
      ...fields,
      blocks: JSON.stringify(fields.blocks),
      layout,
      removed_at: null,
      version: eb('version', '+', 1),
      updated_at: now().toISOString(),
    }))
    .where('company_id', '=', scope.company_id)
    .where('id', '=', id)
    .execute()
  return changed(context, id)
}

export async function removeTemplate(context: Context, id: number): Promise<void> {
  const { db, scope, now, recordEvent } = context
  await lockCompany(context)
  const { name } = await templateById(db, scope.company_id, id)
  await db.updateTable('message_templates').set({ removed_at: now().toISOString(), active: false }).where('id', '=', id).execute()
  await listen(db, scope.company_id)
  await recordEvent({ kind: 'message_template.removed', subject: 'message_template', subject_id: id, data: { name } })
}
