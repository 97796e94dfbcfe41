/**
 * The question about what is missing, in the product's own words: for a company that has written no template for it. One that has a template,
 * active or not, decides itself what is asked.
 */
import { flagsThatCount } from '#features/customers/customers/customers.queries.ts'
import { mailAccountOf } from '#features/deliveries/mail/mail.queries.ts'
import { smsPrice, storedAccount } from '#features/deliveries/sms/sms.queries.ts'
import { sizeOfSms } from '#features/deliveries/sms/sms-text.rules.ts'
import { usualChoices } from '#features/messages/templates/answer-link.rules.ts'
import { type MessageOrder, messageOrders } from '#features/messages/templates/message-facts.queries.ts'
import type { MessageChannel } from '#features/messages/templates/templates.codes.ts'
import { templatesOf } from '#features/messages/templates/templates.queries.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Context, RecordedEvent } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { type NewMessage, queueMessages, recordQueued } from './messages.commands.ts'
import { optedOut, quietHoursOf } from './messages.queries.ts'
import { firstLoudMoment, zonesOf } from './quiet-hours.rules.ts'
import { addressKey, addressOf, plainHtml, type WrittenMessage } from './write-message.server.ts'

const trigger = 'item_missing_question'
/** Several shorts of one order are decided one after the other: all of them stand in the first question. */
const onceIn = 3_600_000
const unwantedBy = { sms: 'no_sms', email: 'no_email' } as const

export async function queueQuestions(events: readonly RecordedEvent<'order.short_ask_customer'>[], { enqueue }: Context): Promise<void> {
  for (const { order_id, company_id } of events)
    if (order_id !== null) await enqueue('messages.ask', { order_id, company_id }, { key: `messages.ask:${order_id}` })
}

export const askAboutMissing: Tasks['messages.ask'] = async ({ order_id, company_id }, { services, principal }) => {
  const { operator_id } = principal.company
  await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(context =>
    askOne(context, order_id),
  )
}

async function askOne(context: Context, order_id: number): Promise<void> {
  const { db, services, scope, now, notify } = context
  const [order] = await messageOrders(db, services, [order_id])
  if (!order) return
  const { company_id } = order
  if ((await templatesOf(db, company_id, { trigger })).length > 0) return
  const channel = await channelFor(context, order)
  if (channel === undefined) return
  const found = addressOf(order, channel)
  if ('skip' in found) return
  const address_key = addressKey(services, { operator_id: scope.operator_id, company_id }, channel, found.address)
  if ((await optedOut(db, [address_key])).has(address_key)) return
  const { price_micro, currency } = await smsPrice(db, company_id)
  const { quiet_from, quiet_to, time_zone } = await quietHoursOf(db, company_id)
  const sms = channel === 'sms'
  const message: NewMessage = {
    ...{ company_id, order_id, customer_id: order.customer_id, channel, trigger },
    dedupe_key: `q/${channel}/${order_id}/${Math.floor(now().getTime() / onceIn)}`,
    country: /^[A-Z]{2}$/.test(order.country) ? order.country : null,
    urgent: false,
    currency: sms ? currency : null,
    send_after: sms ? firstLoudMoment(now(), { quiet_from, quiet_to }, zonesOf(order.country, time_zone)) : now(),
    actor: '',
    choices: usualChoices(trigger),
    written: await questionOf(order, channel, { address: found.address, address_key }, price_micro),
  }
  const [made] = await queueMessages(context, [message])
  if (!made) return
  await recordQueued(context, [{ ...message, id: made.id }])
  notify('message', made.id)
}

/** By mail where the company sends mails and the recipient has an address, else by text message. */
async function channelFor({ db, services, scope }: Context, order: MessageOrder): Promise<MessageChannel | undefined> {
  const { company_id, customer_id } = order
  const flags =
    customer_id === null ? [] : await flagsThatCount(services.database, { operator_id: scope.operator_id, company_id }, customer_id)
  const may = (channel: MessageChannel) => !flags.includes(unwantedBy[channel]) && !('skip' in addressOf(order, channel))
  if (may('email') && (await mailAccountOf(db, company_id))) return 'email'
  return may('sms') && (await storedAccount(db, company_id)) ? 'sms' : undefined
}

/** In the recipient's language. */
async function questionOf(
  order: MessageOrder,
  channel: MessageChannel,
  to: { address: string; address_key: string },
  price_micro: number,
): Promise<WrittenMessage> {
  const t = await translatorFor(order.locale)
  const { values, company, foot } = order.facts
  const words = { number: order.order_no, items: values.items_missing, url: values.answer_url, shop: company }
  const known = { ...to, name: order.customer_name.slice(0, 300) }
  if (channel === 'sms') {
    const text = t('{{items}} is missing from your order {{number}}. Ship the rest, wait or cancel? Answer here: {{url}} {{shop}}', words)
      .normalize('NFC')
      .slice(0, 1_600)
    const { encoding, parts } = sizeOfSms(text)
    return { ...known, subject: '', text, html: null, encoding, parts, price_micro: parts * price_micro }
  }
  const text = [
    t('We do not have everything for your order {{number}}. This is missing: {{items}}.', words),
    t('Should we ship the rest, wait until everything is there, or cancel what is missing? Answer here:'),
    values.answer_url,
    t('Until you answer, your order waits.'),
    foot,
  ].join('\n\n')
  const html = plainHtml(text, order.locale === 'no_NO' ? 'nb' : order.locale.slice(0, 2))
  return {
    ...known,
    subject: t('A question about your order {{number}}', words),
    text: text.slice(0, 20_000),
    html: html.replace(values.answer_url, url => `<a href="${url}">${url}</a>`),
    ...{ encoding: null, parts: null, price_micro: null },
  }
}
