/** States of messages, and why one was not sent. */

export const messageStates = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'failed',
  'expired',
  'unknown',
  'cancelled',
  'skipped',
  'received',
] as const
export type MessageState = (typeof messageStates)[number]

export const skipReasons = [
  'opt_out',
  'no_address',
  'bad_number',
  'outdated',
  'erased',
  'no_mail_account',
  'no_sms_flag',
  'no_email_flag',
] as const
export type SkipReason = (typeof skipReasons)[number]

export const messageViews = ['all', 'unanswered', 'failed', 'scheduled'] as const

export const phoneStates = ['ok', 'none', 'bad', 'opt_out'] as const

export const longestAnswer = 4_000
