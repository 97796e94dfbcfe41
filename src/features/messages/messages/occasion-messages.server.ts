/** Messages that are sent by themselves: an event of the outbox is the occasion, and each active template of it makes one message. */
import { sql } from 'kysely'
import * as z from 'zod'
import { keysOf } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { CustomerFlag } from '#features/customers/customers/customers.codes.ts'
import { flagsThatCount } from '#features/customers/customers/customers.queries.ts'
import type { ClaimedDelivery } from '#features/deliveries/outbox/outbox.commands.ts'
import type { DeliverySender } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { smsPrice } from '#features/deliveries/sms/sms.queries.ts'
import { type MessageOrder, messageOrders } from '#features/messages/templates/message-facts.queries.ts'
import { type MessageChannel, type MessageTrigger, messageChannels } from '#features/messages/templates/templates.codes.ts'
import { occasions } from '#features/messages/templates/templates.commands.ts'
import { inLanguage, type StoredTemplate, templatesOf } from '#features/messages/templates/templates.queries.ts'
import { isApprovedLate, isConfirmedByTemplate, progressUrl } from '#features/returns/portal/portal.queries.ts'
import type { CourierEvent } from '#features/shipping/courier-events/courier-events.codes.ts'
import { audienceOf } from '#features/shipping/courier-events/courier-events.queries.ts'
import { courierEventOf } from '#features/shipping/courier-events/courier-events.rules.ts'
import type { Db } from '#platform/database/database.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Context, Services } from '#platform/http/feature-module.ts'
import { confirmationKey } from './answer-messages.server.ts'
import { queueMessages, recordQueued } from './messages.commands.ts'
import { optedOut, quietHoursOf } from './messages.queries.ts'
import { firstLoudMoment, zonesOf } from './quiet-hours.rules.ts'
import { addressKey, addressOf, writeMessage } from './write-message.server.ts'

/** Occasions that come several times: each is a message of its own. */
const repeated: readonly MessageTrigger[] = [
  'on_hold_question',
  'item_missing_question',
  'out_for_delivery',
  'delivery_failed',
  'address_changed',
  'parcel_shop_changed',
  'return_item_missing',
  'refund_confirmed',
]
/** The flag of a customer who wants nothing that is sent by itself on a channel. */
const unwantedBy = { sms: 'no_sms', email: 'no_email' } as const satisfies Record<MessageChannel, CustomerFlag>
/** Holds that the customer can help with; the others are the warehouse's own business. */
const questionHolds: readonly string[] = ['address', 'customer']
const HeldPayload = z.object({ reason: z.string().nullable().catch(null) }).catch({ reason: null })

export const queueOccasion: DeliverySender = async (delivery, services) => {
  const { operator_id, company_id } = delivery
  const context = createSystemContext(services, { operator_id, company_id, companies: [company_id] })
  await context.transaction(tools => queueFor(tools, delivery))
  return { outcome: 'delivered', status: null, answer: '' }
}

async function queueFor(context: Context, delivery: ClaimedDelivery): Promise<void> {
  const { db, services, now } = context
  const { operator_id, company_id } = delivery
  const trigger = triggerOf(delivery)
  const recipient = await recipientOf(db, delivery)
  if (!recipient || (trigger === undefined && recipient.template_id === null)) return
  const templates = await templatesOf(db, company_id)
  const active = templates.filter(template => template.active)
  const chosen = templates.find(template => template.id === recipient.template_id)
  if (!chosen && trigger === undefined) return
  const { order_id } = recipient
  const [known] = order_id === null ? [] : await messageOrders(db, services, [order_id])
  if (!known) return
  const order = recipient.returned ? withReturn(services, known, recipient.returned) : known
  const { locale } = await companySettings(db, company_id)
  const { price_micro, currency } = await smsPrice(db, company_id)
  const { quiet_from, quiet_to, time_zone } = await quietHoursOf(db, company_id)
  const flags = order.customer_id === null ? [] : await flagsThatCount(services.database, { operator_id, company_id }, order.customer_id)
  for (const channel of messageChannels) {
    const own = active.filter(template => template.trigger === trigger && template.channel === channel)
    // One message says that everything has arrived, not one for each parcel.
    if (!chosen && trigger === 'delivered' && active.some(template => template.trigger === 'all_delivered' && template.channel === channel))
      continue
    if (trigger === 'return_approved' && channel === 'email' && recipient.returned && (await portalConfirms(db, recipient.returned)))
      continue
    if (await isConfirmedByLink(db, delivery, channel)) continue
    const template = chosen
      ? chosen.channel === channel && inLanguage(templates, chosen, order.locale)
      : inBestLanguage(own, [order.locale, locale, 'en_GB'])
    if (!template) continue
    const found = addressOf(order, channel)
    const keys = 'skip' in found ? [] : [addressKey(services, { operator_id, company_id }, channel, found.address)]
    const unwanted = unwantedBy[channel]
    const written = flags.includes(unwanted)
      ? { skip: `${unwanted}_flag` as const }
      : writeMessage(services, operator_id, order, template, price_micro, await optedOut(db, keys))
    const soonest = new Date(now().getTime() + template.delay_minutes * 60_000)
    const waits = channel === 'sms' && !template.urgent
    // An order has several parcels, and several returns.
    const parcel = delivery.object_type === 'order' ? 0 : delivery.object_id
    const send_after = waits ? firstLoudMoment(soonest, { quiet_from, quiet_to }, zonesOf(order.country, time_zone)) : soonest
    const message = {
      company_id,
      order_id: order.id,
      customer_id: order.customer_id,
      template_id: template.id,
      channel,
      trigger: trigger ?? ('manual' as const),
      dedupe_key:
        chosen || trigger === undefined
          ? `c/${channel}/${order.id}/${parcel}/${delivery.seq}`
          : `o/${trigger}/${channel}/${order.id}/${parcel}${repeated.includes(trigger) ? `/${delivery.seq}` : ''}`,
      country: /^[A-Z]{2}$/.test(order.country) ? order.country : null,
      urgent: template.urgent,
      currency: channel === 'sms' ? currency : null,
      send_after,
      actor: '',
      choices: template.choices,
      written,
    }
    const [made] = await queueMessages(context, [message])
    if (made && !('skip' in written)) await recordQueued(context, [{ ...message, id: made.id }])
    if (made) context.notify('message', made.id)
  }
}

const LinkPayload = z.object({ link_id: z.number().int().optional() }).catch({})

/** The recipient made the change by a link and has its confirmation on this channel: a second message would say the same. */
async function isConfirmedByLink(db: Db, { payload, company_id }: ClaimedDelivery, channel: MessageChannel): Promise<boolean> {
  const { link_id } = LinkPayload.parse(payload)
  if (link_id === undefined) return false
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('company_id', '=', company_id)
    .where('dedupe_key', '=', confirmationKey(link_id, channel))
    .executeTakeFirst()
  return row !== undefined
}

function triggerOf({ kind, payload }: ClaimedDelivery): Exclude<MessageTrigger, 'manual'> | undefined {
  const trigger = keysOf(occasions).find(one => occasions[one] === kind)
  return trigger === 'on_hold_question' && !questionHolds.includes(HeldPayload.parse(payload).reason ?? '') ? undefined : trigger
}

/** Occasions of orders that follow from events of their parcels. */
const orderOccasions: Readonly<Record<string, CourierEvent>> = { 'order.handed_over': 'handed_over', 'order.delivered': 'delivered' }
const ReportedPayload = z.object({ reason: z.string().nullable().catch(null) }).catch({ reason: null })

interface Recipient {
  order_id: number | null
  /** The template that the courier's event sends in place of the active one. */
  template_id: number | null
  /** The return that is the occasion. */
  returned?: OccasionReturn
}

interface OccasionReturn {
  id: number
  company_id: number
  rma_no: string
  contact_email: string | null
  withdrawal: boolean
  requested_at: string
  approved_at: string | null
  /** Of its company. */
  code: string
}

/** Mails about a return go to whom the return is from, and lead to its page where the customer has a link to it. */
function withReturn(
  services: Services,
  order: MessageOrder,
  { id, company_id, rma_no, contact_email, code }: OccasionReturn,
): MessageOrder {
  const { facts } = order
  const return_url = contact_email === null ? '' : progressUrl(services, { id: company_id, code }, id, order.locale)
  return { ...order, email: contact_email ?? order.email, facts: { ...facts, values: { ...facts.values, rma_no, return_url } } }
}

/** The return portal has mailed its own confirmation, or acknowledged the withdrawal that was approved at once: a second mail would say the same. */
const portalConfirms = async (db: Db, returned: OccasionReturn): Promise<boolean> =>
  returned.contact_email !== null && !(isApprovedLate(returned) && (await isConfirmedByTemplate(db, returned.company_id)))

/** Whose order it is, where the settings of the courier send the recipient a message; else undefined. */
async function recipientOf(db: Db, { object_type, object_id, company_id, kind, payload }: ClaimedDelivery): Promise<Recipient | undefined> {
  if (object_type === 'return') {
    const returned = await db
      .selectFrom('returns as r')
      .innerJoin('companies as c', 'c.id', 'r.company_id')
      .select([
        'r.id',
        'r.company_id',
        'r.order_id',
        'r.rma_no',
        'r.contact_email',
        'r.withdrawal',
        'r.requested_at',
        'r.approved_at',
        'c.code',
      ])
      .where('r.id', '=', object_id)
      .executeTakeFirst()
    return returned && { order_id: returned.order_id, template_id: null, returned }
  }
  if (object_type === 'shipment') {
    const shipment = await db.selectFrom('shipments').select(['order_id', 'agent_code']).where('id', '=', object_id).executeTakeFirst()
    const event = courierEventOf(kind, ReportedPayload.parse(payload).reason)
    if (!shipment || !event) return shipment && { order_id: shipment.order_id, template_id: null }
    const { to_recipient, template_id } = await audienceOf(db, company_id, shipment.agent_code, event)
    return to_recipient ? { order_id: shipment.order_id, template_id } : undefined
  }
  const event = orderOccasions[kind]
  const recipient = { order_id: object_id, template_id: null }
  if (!event) return recipient
  const couriers = await db
    .selectFrom('shipments')
    .select('agent_code')
    .distinct()
    .where('order_id', '=', eb =>
      eb.selectFrom('orders').select(sql<number>`coalesce(combined_into, id)`.as('carrier')).where('id', '=', object_id),
    )
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', ['cancelled', 'blocked', 'draft', 'error'])
    .execute()
  const audiences = await Promise.all(couriers.map(({ agent_code }) => audienceOf(db, company_id, agent_code, event)))
  // A template of the event itself has been sent for each parcel.
  return audiences.length === 0 || audiences.some(one => one.to_recipient && one.template_id === null) ? recipient : undefined
}

const inBestLanguage = (templates: readonly StoredTemplate[], locales: readonly string[]): StoredTemplate | undefined =>
  locales.map(locale => templates.find(template => template.locale === locale)).find(template => template !== undefined) ?? templates[0]
