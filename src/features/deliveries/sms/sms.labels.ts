/** Words for gateways of text messages, and why one refuses. */
import type { SmsProblem, SmsProvider } from '#domain/sms-codes.ts'

export const providerWords: Readonly<Record<SmsProvider, string>> = {
  log: 'None: messages are only logged',
  gatewayapi: 'GatewayAPI',
  twilio: 'Twilio',
  inmobile: 'inMobile',
}

export const smsProblemWords: Readonly<Record<SmsProblem, string>> = {
  bad_number: 'The gateway does not accept this number.',
  opted_out: 'This number has opted out at the gateway.',
  sender_refused: 'The gateway does not accept the sender.',
  text_refused: 'The gateway does not accept the text.',
  rejected: 'The network has rejected the message.',
  undeliverable: 'The message could not be delivered.',
  expired: 'The phone was not reached in time.',
  credentials: 'The gateway refuses the account. Check the secret.',
  no_credit: 'The account has no credit left.',
  blocked: 'The gateway has blocked the account.',
  busy: 'The gateway asks to try again later.',
  unreachable: 'The gateway cannot be reached.',
  no_answer: 'The gateway did not answer. The message may have been sent.',
  failed: 'The gateway refuses the request.',
}
