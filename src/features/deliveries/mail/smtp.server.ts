/** Sends one mail through the SMTP server of a company, and names what went wrong. */
import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { textIn } from '#domain/thrown.ts'
import { PrivateAddressError, resolveOutside } from '#platform/http/outside-request.ts'
import type { MailProblem } from './mail.codes.ts'
import type { SendingAccount } from './mail.queries.ts'

export interface Mail {
  to: { name: string; address: string }
  /** Instead of the account's. */
  from_name?: string
  subject: string
  text: string
  html: string
  attachments?: readonly { filename: string; content: Buffer; contentType: string }[]
  /** Language of the text, such as `da`. */
  language: string
  /** Without angle brackets; the same in every attempt, so that a mailbox shows the mail once. */
  message_id: string
  date: Date
}

export interface MailOutcome {
  problem: MailProblem | null
  /** What the server said, without addresses. */
  answer: string
  /** The code of the server's answer. */
  status: number | null
}

/** The part behind the sign @, for the id of a message. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Milliseconds until the connection stands, and until each answer is there. */
const patience = 10_000

export async function sendOverSmtp(
  account: SendingAccount,
  password: string | null,
  mail: Mail,
  { allowedNetworks, signal }: { allowedNetworks: readonly string[]; signal: AbortSignal },
): Promise<MailOutcome> {
  const { host, port, security, user_name } = account
  let outside: Awaited<ReturnType<typeof resolveOutside>>
  try {
    outside = await resolveOutside(host, allowedNetworks)
  } catch (error) {
    if (error instanceof PrivateAddressError) return { problem: 'private_host', answer: '', status: null }
    return { problem: 'unknown_host', answer: '', status: null }
  }
  if (security === 'none' && !outside.allowed) return { problem: 'no_encryption', answer: '', status: null }
  const transport = createTransport({
    // The address that was checked: the name is not resolved again.
    host: outside.address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: isIP(host) ? {} : { servername: host },
    ...(user_name !== null && { auth: { user: user_name, pass: password ?? '' } }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const cancelled = Promise.withResolvers<never>()
  const cancel = () => cancelled.reject(new Error('No answer in time', { cause: signal.reason }))
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const sent = await Promise.race([
      transport.sendMail({
        from: { name: mail.from_name || account.from_name, address: account.from_address },
        to: mail.to,
        ...(account.reply_to !== null && { replyTo: account.reply_to }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        ...(mail.attachments && { attachments: [...mail.attachments] }),
        messageId: `<${mail.message_id}>`,
        date: mail.date,
        headers: { 'auto-submitted': 'auto-generated', 'content-language': mail.language },
      }),
      cancelled.promise,
    ])
    return { problem: null, answer: withoutAddresses(sent.response), status: 250 }
  } catch (error) {
    if (signal.aborted) return { problem: 'no_answer', answer: '', status: null }
    return { problem: problemOf(error), answer: withoutAddresses(answerOf(error)), status: statusOf(error) }
  } finally {
    signal.removeEventListener('abort', cancel)
    transport.close()
  }
}

/** The code with which the server's answer begins. */
const statusOf = (error: unknown): number | null => Number(/^\d{3}/.exec(textIn(error, 'response') ?? '')?.[0]) || null
const answerOf = (error: unknown) => textIn(error, 'response') ?? textIn(error, 'message') ?? String(error)

/** Answers of servers name mailboxes; what is stored and shown does not. */
const withoutAddresses = (text: string): string => text.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…').slice(0, 500)

/** Node's codes of certificates that cannot be trusted. */
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER/

function problemOf(error: unknown): MailProblem {
  const [code, command, response] = [textIn(error, 'code') ?? '', textIn(error, 'command') ?? '', statusOf(error) ?? 0]
  const text = `${code} ${textIn(error, 'message') ?? ''} ${textIn(error instanceof Error ? error.cause : undefined, 'code') ?? ''}`
  if (untrusted.test(text) || /certificate|altnames/i.test(text)) return 'certificate'
  if (code === 'EAUTH' || code === 'ENOAUTH') return response >= 400 && response < 500 ? 'try_later' : 'sign_in_refused'
  if (code === 'ETLS') return 'no_encryption'
  if (code === 'ETIMEDOUT') return 'no_answer'
  if (response >= 400 && response < 500) return 'try_later'
  // Servers that want a sign-in first say so when the sender is named.
  if (command === 'MAIL FROM') return response === 530 ? 'sign_in_refused' : 'sender_refused'
  if (command === 'RCPT TO') return 'recipient_refused'
  if (code === 'EMESSAGE' || code === 'EENVELOPE') return 'message_refused'
  if (['ESOCKET', 'ECONNECTION', 'ECONNREFUSED', 'EDNS'].includes(code)) return 'no_connection'
  return 'failed'
}
