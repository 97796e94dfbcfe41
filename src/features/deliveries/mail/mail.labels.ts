/** Words for the codes of mail accounts. */
import type { MailProblem, MailSecurity } from './mail.codes.ts'

export const securityWords: Readonly<Record<MailSecurity, string>> = {
  starttls: 'STARTTLS',
  tls: 'TLS from the start',
  none: 'None: only in your own network',
}

/** Why a mail was not sent, and what helps. */
export const problemWords: Readonly<Record<MailProblem, string>> = {
  unknown_host: 'No mail server has this name. Check how it is spelled.',
  private_host: 'This name leads to a private network, which this installation does not permit.',
  no_connection: 'The mail server does not accept a connection on this port.',
  no_answer: 'The mail server does not answer. Check the port and the encryption.',
  certificate: 'The certificate of the mail server is not trusted, or belongs to another name.',
  no_encryption: 'No encrypted connection could be made. Check the port and the encryption.',
  sign_in_refused: 'The mail server refuses the user name or the password.',
  sender_refused: 'The mail server does not let this account send from the sender’s address.',
  recipient_refused: 'The mail server does not accept the recipient’s address.',
  message_refused: 'The mail server has refused the mail itself.',
  try_later: 'The mail server asks to try again later.',
  no_password: 'The stored password cannot be opened. Enter it again.',
  not_needed: 'The mail was not needed any more when it could be sent.',
  failed: 'The mail could not be sent.',
}
