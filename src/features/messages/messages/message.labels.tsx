/** Words for messages: state, why one was not sent, occasion, price. */
import { decimalsOf } from '#domain/money.ts'
import { minorOfMicro } from '#features/deliveries/sms/sms-price.rules.ts'
import { money } from '#ui/kit/format.ts'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { MessageState } from './messages.codes.ts'
import type { Message } from './messages.schemas.ts'

export const stateWords: Readonly<Record<MessageState, string>> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
  expired: 'Expired',
  unknown: 'Not known',
  cancelled: 'Cancelled',
  skipped: 'Not sent',
  received: 'Answer',
}
const tones: Readonly<Record<MessageState, Tone>> = {
  queued: 'plain',
  sending: 'busy',
  sent: 'done',
  delivered: 'done',
  failed: 'stop',
  expired: 'stop',
  unknown: 'soon',
  cancelled: 'quiet',
  skipped: 'quiet',
  received: 'soon',
}

const reasonWords: Readonly<Record<string, string>> = {
  opt_out: 'Wants no more messages',
  no_address: 'No telephone number or address',
  bad_number: 'The telephone number is none',
  outdated: 'Not true any more when it was due',
  erased: 'The person was erased',
  no_mail_account: 'No e-mail account is set up',
  opted_out: 'Has opted out at the gateway',
  sender_refused: 'The sender is not accepted',
  text_refused: 'The text is not accepted',
  rejected: 'Rejected by the network',
  undeliverable: 'Could not be delivered',
  expired: 'The phone was not reached in time',
  credentials: 'The gateway refuses the account',
  no_credit: 'No credit at the gateway',
  blocked: 'The account is blocked',
  busy: 'The gateway asks to try again later',
  unreachable: 'The gateway cannot be reached',
  no_answer: 'No answer came: it may have been sent',
  no_password: 'The stored password cannot be opened',
  recipient_refused: 'The mail server refuses the address',
  message_refused: 'The mail server refuses the mail',
}

export function MessageBadge({ of: message }: { of: Pick<Message, 'direction' | 'state' | 'handled_at' | 'provider'> }) {
  const t = useT()
  // No gateway was set up: nothing left for the recipient.
  if (message.provider === 'log' && message.state === 'delivered') return <StateBadge tone="quiet">{t('Only logged')}</StateBadge>
  if (message.direction === 'in' && message.handled_at !== null) return <StateBadge tone="done">{t('Seen to')}</StateBadge>
  return <StateBadge tone={tones[message.state]}>{t(stateWords[message.state])}</StateBadge>
}

/** Why it was not sent, or what went wrong; empty where there is nothing to say. */
export const reasonWord = (t: ReturnType<typeof useT>, reason: string | null): string =>
  reason === null ? '' : t(reasonWords[reason] ?? 'Could not be sent')

/** Of unit prices in millionths: rounded once. */
export const priceWord = (price_micro: number, currency: string): string => money(minorOfMicro(price_micro, decimalsOf(currency)), currency)
