/** Stores an answer by link in the thread of the order, and confirms it to the contact of the order. */
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { smsPrice } from '#features/deliveries/sms/sms.queries.ts'
import { sizeOfSms } from '#features/deliveries/sms/sms-text.rules.ts'
import { linkForMessages } from '#features/messages/decision-links/decision-links.queries.ts'
import { type MessageOrder, messageOrders } from '#features/messages/templates/message-facts.queries.ts'
import { choiceWords } from '#features/messages/templates/template.labels.ts'
import type { AnswerChoice, MessageChannel } from '#features/messages/templates/templates.codes.ts'
import type { Context, RecordedEvent } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { type NewMessage, queueMessages, recordQueued, storeReceived } from './messages.commands.ts'
import { optedOut } from './messages.queries.ts'
import { addressKey, addressOf, plainHtml, type WrittenMessage } from './write-message.server.ts'

const said: Readonly<Record<AnswerChoice, string>> = {
  ship_partially: 'We ship what is ready of your order {{number}}.',
  wait: 'Your order {{number}} waits until everything is there.',
  cancel_line: 'We cancel what is missing of your order {{number}}.',
  new_address: 'The address of order {{number}} was changed. Not you? Contact {{contact}}.',
  other_shop: 'Order {{number}} goes to the parcel shop {{shop}}. Not you? Contact {{contact}}.',
}
const saidOfDay = 'Your order {{number}} waits until {{day}}.'

/** A new address is confirmed on every channel: who holds the link may be a stranger. */
const channelsOf = (choice: AnswerChoice, asked: MessageChannel): readonly MessageChannel[] =>
  choice === 'new_address' || choice === 'other_shop' ? ['sms', 'email'] : [asked]

/** Names the confirmation of an answer among the messages of its company. */
export const confirmationKey = (link_id: number, channel: MessageChannel): string => `ac/${link_id}/${channel}`

export async function confirmAnswers(events: readonly RecordedEvent<'link.answered'>[], context: Context): Promise<void> {
  for (const event of events) await confirmAnswer(event, context)
}

async function confirmAnswer({ subject_id, order_id, company_id }: RecordedEvent<'link.answered'>, context: Context): Promise<void> {
  const { db, services, scope, now } = context
  const link = subject_id === null ? undefined : await linkForMessages(db, subject_id)
  const [order] = order_id === null ? [] : await messageOrders(db, services, [order_id])
  if (!link?.choice || !order) return
  const { choice, until } = link
  const settings = await companySettings(db, company_id)
  const staff = await translatorFor(settings.locale)
  const key = (channel: MessageChannel, address: string) =>
    addressKey(services, { operator_id: scope.operator_id, company_id }, channel, address)
  const asked = addressOf(order, link.channel)
  const from = 'skip' in asked ? '' : asked.address
  const id = await storeReceived(
    db,
    {
      ...{
        company_id,
        channel: link.channel,
        address: from,
        address_key: key(link.channel, from),
        name: order.customer_name.slice(0, 300),
      },
      text: [staff(choiceWords[choice]), until].filter(Boolean).join(': '),
      dedupe_key: `a/${link.id}`,
      ...{ account_id: null, provider: 'link', order_id: order.id, customer_id: order.customer_id, answers_id: link.message_id },
      // The order has changed already: nothing is left to do.
      handled: true,
    },
    now(),
  )
  const text = await confirmation(order, choice, until, [settings.support_phone, settings.support_email, settings.homepage].find(Boolean))
  const { price_micro, currency } = await smsPrice(db, company_id)
  const messages: NewMessage[] = []
  for (const channel of channelsOf(choice, link.channel)) {
    const found = addressOf(order, channel)
    if ('skip' in found) continue
    const address_key = key(channel, found.address)
    if ((await optedOut(db, [address_key])).has(address_key)) continue
    const sms = channel === 'sms'
    const { encoding, parts } = sizeOfSms(text.text)
    const written: WrittenMessage = {
      ...{ address: found.address, address_key, name: order.customer_name.slice(0, 300), text: text.text },
      subject: sms ? '' : text.subject,
      html: sms ? null : plainHtml(text.text, order.locale === 'no_NO' ? 'nb' : order.locale.slice(0, 2)),
      ...(sms ? { encoding, parts, price_micro: parts * price_micro } : { encoding: null, parts: null, price_micro: null }),
    }
    messages.push({
      ...{ company_id, order_id: order.id, customer_id: order.customer_id, channel, written },
      trigger: choice === 'new_address' ? 'address_changed' : 'manual',
      dedupe_key: confirmationKey(link.id, channel),
      country: null,
      // The person has just answered.
      urgent: true,
      currency: sms ? currency : null,
      send_after: now(),
      answers_id: id ?? null,
      actor: '',
    })
  }
  const made = new Map((await queueMessages(context, messages)).map(row => [row.dedupe_key, row.id]))
  await recordQueued(
    context,
    messages.flatMap(message => {
      const message_id = made.get(message.dedupe_key)
      return message_id === undefined ? [] : [{ ...message, id: message_id }]
    }),
  )
}

/** In the recipient's language. */
async function confirmation(order: MessageOrder, choice: AnswerChoice, until: string | null, contact: string | undefined) {
  const t = await translatorFor(order.locale)
  const tag = order.locale.replace('_', '-').replace('no-', 'nb-')
  const names = {
    number: order.order_no,
    contact: contact ?? order.facts.company,
    shop: order.facts.values.pickup_shop,
    day: until === null ? '' : new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${until}T12:00:00Z`)),
  }
  const sentence = t(until === null ? said[choice] : saidOfDay, names)
  return {
    subject: t('Your answer about order {{number}}', names),
    text: `${sentence} ${order.facts.company}`.normalize('NFC').slice(0, 1_600),
  }
}
