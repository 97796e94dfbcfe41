/** Twilio: messages of its REST API 2010-04-01, signed callbacks of forms (SDK 6.2.0). */
import * as z from 'zod'
import type { SmsProblem } from '#domain/sms-codes.ts'
import type { SmsCallback, SmsCredentials, SmsGateway, SmsOutcome, SmsReport, SmsTools } from './sms-gateway.ts'
import { answerTo, basic, exchange, hmac, isSame, micro, plainOutcome, saidIn, unansweredOutcome } from './sms-http.ts'

const atOnce = 10

const account = ({ user_name }: SmsCredentials, { base_url }: SmsTools): string =>
  `${base_url ?? 'https://api.twilio.com'}/2010-04-01/Accounts/${encodeURIComponent(user_name)}`

const amount = z.union([z.string(), z.number()]).transform(Number).pipe(z.number()).nullable().optional()
const Sent = z.object({
  sid: z.string().min(1),
  num_segments: z.string().nullable().optional(),
  price: amount,
  price_unit: z.string().length(3).nullable().optional(),
})
const Refused = z.object({ code: z.number() })
const Balance = z.object({ balance: z.union([z.string(), z.number()]).transform(Number).pipe(z.number()), currency: z.string().length(3) })

/** Codes of twilio.com/docs/api/errors. */
const problems: Readonly<Record<string, ['failed' | 'later', SmsProblem]>> = {
  20003: ['later', 'credentials'],
  20429: ['later', 'busy'],
  21211: ['failed', 'bad_number'],
  21212: ['failed', 'sender_refused'],
  21408: ['failed', 'rejected'],
  21606: ['failed', 'sender_refused'],
  21610: ['failed', 'opted_out'],
  21612: ['failed', 'sender_refused'],
  21614: ['failed', 'bad_number'],
  21617: ['failed', 'text_refused'],
  30002: ['later', 'blocked'],
  30003: ['failed', 'undeliverable'],
  30004: ['failed', 'rejected'],
  30005: ['failed', 'bad_number'],
  30006: ['failed', 'bad_number'],
  30007: ['failed', 'rejected'],
}

/** Amounts are negative where they are a cost. */
const priceOf = (price: number | null | undefined): number | null => (price === null || price === undefined ? null : micro(Math.abs(price)))

async function sendOne(
  { to, text, sender, callback_url }: Parameters<SmsGateway['send']>[0][number],
  credentials: SmsCredentials,
  tools: SmsTools,
): Promise<SmsOutcome> {
  const form = new URLSearchParams({ To: to, Body: text })
  form.set(sender.startsWith('MG') ? 'MessagingServiceSid' : 'From', sender)
  if (callback_url !== null) form.set('StatusCallback', callback_url)
  const answer = await exchange(tools, `${account(credentials, tools)}/Messages.json`, {
    method: 'POST',
    headers: { authorization: basic(credentials.user_name, credentials.secret), 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  if (answer.kind !== 'answer') return unansweredOutcome(answer)
  const sent = Sent.safeParse(answer.body)
  if (answer.ok && sent.success) {
    const { sid, num_segments, price, price_unit } = sent.data
    const parts = Number(num_segments) || null
    return { outcome: 'sent', provider_id: sid, parts, price_micro: priceOf(price), currency: price_unit?.toUpperCase() ?? null }
  }
  if (answer.ok) return { outcome: 'unknown', problem: 'no_answer', answer: saidIn(answer) }
  const [outcome, problem] = problems[Refused.safeParse(answer.body).data?.code ?? 0] ?? []
  return outcome && problem ? { outcome, problem, answer: saidIn(answer) } : plainOutcome(answer.status, saidIn(answer))
}

const states: Readonly<Record<string, SmsReport['state']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}

/** The signature covers the public address and each field, sorted by name (twilio.com/docs/usage/security). */
function twilioSignature(url: string, fields: URLSearchParams, secret: string): string {
  const text = [...fields]
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .reduce((all, [name, value]) => all + name + value, url)
  return hmac('sha1', secret, text).toString('base64')
}

function signedFields({ raw, headers, url }: SmsCallback, { secret }: SmsCredentials): URLSearchParams | null {
  if (secret === '') return null
  const fields = new URLSearchParams(Buffer.from(raw).toString('utf8'))
  const given = String(headers['x-twilio-signature'] ?? '')
  return isSame(Buffer.from(given), Buffer.from(twilioSignature(url, fields, secret))) ? fields : null
}

export const twilio: SmsGateway = {
  most_at_once: 100,
  needs: ['user_name', 'secret'],
  reports: 'callback',
  answers: true,

  async send(batch, credentials, tools) {
    const outcomes: SmsOutcome[] = []
    for (let from = 0; from < batch.length; from += atOnce)
      outcomes.push(...(await Promise.all(batch.slice(from, from + atOnce).map(message => sendOne(message, credentials, tools)))))
    return outcomes
  },

  async balance(credentials, tools) {
    const headers = { authorization: basic(credentials.user_name, credentials.secret) }
    const { balance, currency } = answerTo(
      Balance,
      await exchange(tools, `${account(credentials, tools)}/Balance.json`, { method: 'GET', headers }),
    )
    return { balance_micro: micro(balance), currency }
  },

  readCallback(call, credentials) {
    const fields = signedFields(call, credentials)
    if (!fields) return null
    const provider_id = fields.get('MessageSid') ?? ''
    const body = fields.get('Body')
    if (body !== null)
      return { reports: [], incoming: [{ provider_id, from: fields.get('From') ?? '', to: fields.get('To') ?? '', text: body }] }
    const state = states[fields.get('MessageStatus') ?? '']
    if (!state || provider_id === '') return { reports: [], incoming: [] }
    const [, problem] = problems[fields.get('ErrorCode') ?? ''] ?? []
    return {
      reports: [
        {
          provider_id,
          state,
          problem: state === 'failed' ? (problem ?? 'undeliverable') : null,
          parts: null,
          price_micro: null,
          currency: null,
        },
      ],
      incoming: [],
    }
  },
}
