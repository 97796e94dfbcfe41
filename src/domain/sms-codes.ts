/** Gateways of text messages, and why a message was not accepted or not delivered. */

/** `log`: nothing leaves the server. */
export const smsProviders = ['log', 'gatewayapi', 'twilio', 'inmobile'] as const
export type SmsProvider = (typeof smsProviders)[number]

export const smsProblems = [
  'bad_number',
  'opted_out',
  'sender_refused',
  'text_refused',
  'rejected',
  'undeliverable',
  'expired',
  'credentials',
  'no_credit',
  'blocked',
  'busy',
  'unreachable',
  'no_answer',
  'failed',
] as const
export type SmsProblem = (typeof smsProblems)[number]

/** One letter outside of the GSM alphabet makes the whole text UCS-2. */
export type SmsEncoding = 'GSM-7' | 'UCS-2'
