/** A message to the recipient of an order: its text, its address and its price, or why there is none. */

import { sizeOfSms } from '#features/deliveries/sms/sms-text.rules.ts'
import { fillLayout } from '#features/messages/templates/email-layout.server.ts'
import { fillTemplateText } from '#features/messages/templates/liquid-text.server.ts'
import type { MessageOrder } from '#features/messages/templates/message-facts.queries.ts'
import type { MessageChannel } from '#features/messages/templates/templates.codes.ts'
import type { EmailBlock } from '#features/messages/templates/templates.schemas.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { SkipReason } from './messages.codes.ts'

/** What is filled: of a template, or written by a person. */
export interface MessageSource {
  channel: MessageChannel
  body: string
  subject: string
  blocks: readonly EmailBlock[]
  layout: string
}

export interface WrittenMessage {
  address: string
  address_key: string
  name: string
  subject: string
  text: string
  html: string | null
  encoding: string | null
  parts: number | null
  price_micro: number | null
}

/** A code of an address within a company: answers and opt-outs are found by it, and the address does not follow from it. */
export const addressKey = (
  { vault }: Pick<Services, 'vault'>,
  { operator_id, company_id }: { operator_id: number; company_id: number },
  channel: MessageChannel,
  address: string,
): string => vault.sign('message address', `${operator_id}:${company_id}:${channel}:${address.trim().toLowerCase()}`)

/** The address of the order's recipient on a channel, or why it cannot be used. */
export function addressOf(order: MessageOrder, channel: MessageChannel): { address: string } | { skip: SkipReason } {
  if (order.erased) return { skip: 'erased' }
  if (channel === 'email') return order.email === null ? { skip: 'no_address' } : { address: order.email }
  if (!order.has_phone) return { skip: 'no_address' }
  return order.phone === null ? { skip: 'bad_number' } : { address: order.phone }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** A text that no template made, as HTML. */
export const plainHtml = (text: string, language: string): string =>
  `<!doctype html><html lang="${language}"><body style="font:16px/1.5 system-ui,sans-serif">${text.replace(/[&<>]/g, sign => entities[sign] ?? sign).replaceAll('\n', '<br>')}</body></html>`

export function writeMessage(
  services: Pick<Services, 'vault'>,
  operator_id: number,
  order: MessageOrder,
  source: MessageSource,
  price_micro: number,
  optedOut: ReadonlySet<string>,
): WrittenMessage | { skip: SkipReason } {
  const found = addressOf(order, source.channel)
  if ('skip' in found) return found
  const address_key = addressKey(services, { operator_id, company_id: order.company_id }, source.channel, found.address)
  if (optedOut.has(address_key)) return { skip: 'opt_out' }
  const known = { address: found.address, address_key, name: order.customer_name.slice(0, 300) }
  if (source.channel === 'email') {
    const { subject, text, html } = fillLayout(source.layout, source.subject, source.blocks, order.facts)
    return { ...known, subject, text: text.slice(0, 20_000), html, encoding: null, parts: null, price_micro: null }
  }
  const text = fillTemplateText(source.body, order.facts.values).normalize('NFC').slice(0, 1_600)
  if (text === '') return { skip: 'outdated' }
  const { encoding, parts } = sizeOfSms(text)
  return { ...known, subject: '', text, html: null, encoding, parts, price_micro: parts * price_micro }
}
