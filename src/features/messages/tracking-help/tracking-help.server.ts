/** The help form of the tracking page: handlers. */
import { conflict, notFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { storeReceived } from '#features/messages/messages/messages.commands.ts'
import { addressKey, addressOf } from '#features/messages/messages/write-message.server.ts'
import { type MessageOrder, messageOrders } from '#features/messages/templates/message-facts.queries.ts'
import type { MessageChannel } from '#features/messages/templates/templates.codes.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { helpWords } from '#features/shipping/tracking/help-topics.rules.ts'
import { refusals } from '#features/shipping/tracking/tracking.rules.ts'
import { isTrackingLink, isTrackingTicket } from '#features/shipping/tracking/tracking-link.server.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { trackingHelp } from './tracking-help.contract.ts'
import { trackingHelpSchemas } from './tracking-help.schemas.ts'

/** Questions about one order in a day. */
const mostOfOrder = 5
/** Names where they came from, in place of a gateway. */
const provider = 'tracking page'

/** The order behind a signed link or a ticket. */
async function orderOfLink({ db, services, principal }: Context, o: number, s: string): Promise<MessageOrder> {
  const company_id = principal.company.id
  const isKnown = isTrackingLink(services, company_id, o, s) || isTrackingTicket(services, company_id, o, s)
  const [order] = isKnown ? await messageOrders(db, services, [o]) : []
  if (!order || order.company_id !== company_id) throw notFound('tracking_link_not_found', refusals.noLink)
  return order
}

/** E-mail first: an answer may be long. */
function wayTo(order: MessageOrder): { channel: MessageChannel; address: string } | null {
  for (const channel of ['email', 'sms'] as const) {
    const found = addressOf(order, channel)
    if (!('skip' in found)) return { channel, address: found.address }
  }
  return null
}

export const trackingHelpServer = implement(trackingHelp, trackingHelpSchemas, {
  async ways({ o, s }, context) {
    return { channel: wayTo(await orderOfLink(context, o, s))?.channel ?? null }
  },

  async ask({ body: { o, s, topic, text, client_id } }, context) {
    const { db, services, scope, principal, now, recordEvent, notify } = context
    const company_id = principal.company.id
    const order = await orderOfLink(context, o, s)
    const way = wayTo(order)
    if (!way) throw conflict('help_no_contact', refusals.noContact)
    const { channel, address } = way
    // One after the other, so that the count holds.
    await takeOrder(db, o)
    const dedupe_key = `help/${o}/${client_id}`
    const written = await db
      .selectFrom('messages')
      .select('dedupe_key')
      .where('order_id', '=', o)
      .where('provider', '=', provider)
      .where('created_at', '>', new Date(now().getTime() - 86_400_000).toISOString())
      .limit(mostOfOrder)
      .execute()
    if (written.some(one => one.dedupe_key === dedupe_key)) return { channel }
    if (written.length >= mostOfOrder) throw conflict('help_limit', refusals.askedOften)
    const staff = await translatorFor((await companySettings(db, company_id)).locale)
    const id = await storeReceived(
      db,
      {
        ...{ company_id, channel, address, text, dedupe_key, provider },
        address_key: addressKey(services, { operator_id: scope.operator_id, company_id }, channel, address),
        name: order.customer_name.slice(0, 300),
        subject: staff(helpWords[topic]),
        ...{ account_id: null, order_id: order.id, customer_id: order.customer_id, answers_id: null, handled: false },
      },
      now(),
    )
    if (id === undefined) return { channel }
    await recordEvent({
      kind: 'message.received',
      company_id,
      order_id: order.id,
      subject: 'message',
      subject_id: id,
      data: { channel, stops: false },
    })
    notify('message', id, company_id)
    return { channel }
  },
})
