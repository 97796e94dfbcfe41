/** Codes of mail accounts: how the connection is encrypted, and why a mail was not sent. */

export const mailSecurities = ['starttls', 'tls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** The usual port of each. */
export const usualPorts: Readonly<Record<MailSecurity, number>> = { starttls: 587, tls: 465, none: 25 }

/** Ports of mail servers; in networks that the deployment permits any port is accepted. */
export const mailPorts: readonly number[] = [25, 465, 587, 2525]

export const mailProblems = [
  'unknown_host',
  'private_host',
  'no_connection',
  'no_answer',
  'certificate',
  'no_encryption',
  'sign_in_refused',
  'sender_refused',
  'recipient_refused',
  'message_refused',
  'try_later',
  'no_password',
  'not_needed',
  'failed',
] as const
export type MailProblem = (typeof mailProblems)[number]
