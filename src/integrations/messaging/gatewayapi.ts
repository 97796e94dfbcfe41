/** GatewayAPI: its classic REST interface, and the Messaging API of new accounts (gatewayapi.com/docs; OpenAPI 2026.08.21). */
import * as z from 'zod'
import type { SmsProblem } from '#domain/sms-codes.ts'
import type { IncomingSms, OutgoingSms, SmsCallback, SmsCredentials, SmsGateway, SmsOutcome, SmsReport, SmsTools } from './sms-gateway.ts'
import { answerTo, basic, exchange, hmac, isSame, micro, plainOutcome, saidIn, unansweredOutcome } from './sms-http.ts'

/** Connections at once; the gateway allows 40 for an address. */
const atOnce = 8
/** One with the classic interface, whose requests hold one text. */
const mostAtOnce = 1_000

const root = ({ api, region }: SmsCredentials, { base_url }: SmsTools): string =>
  base_url ?? (api === 'classic' ? `https://gatewayapi.${region}` : `https://messaging.gatewayapi.${region}`)

/** Digits as an integer, as this gateway writes numbers. */
const msisdn = (to: string): number => Number(to.replace(/\D/g, ''))

const ClassicSent = z.object({
  ids: z.array(z.union([z.number(), z.string()])).min(1),
  usage: z
    .object({ total_cost: z.number(), currency: z.string().length(3) })
    .partial()
    .optional(),
})
const ClassicError = z.object({ code: z.string() })
const Credit = z.object({ credit: z.number(), currency: z.string().length(3) })

const classicProblems: Readonly<Record<string, ['failed' | 'later', SmsProblem]>> = {
  '0x0210': ['later', 'credentials'],
  '0x0213': ['failed', 'text_refused'],
  '0x0215': ['later', 'credentials'],
  '0x0216': ['later', 'no_credit'],
  '0x0217': ['later', 'blocked'],
}

async function sendClassic(message: OutgoingSms, credentials: SmsCredentials, tools: SmsTools): Promise<SmsOutcome> {
  const answer = await exchange(tools, `${root(credentials, tools)}/rest/mtsms`, {
    method: 'POST',
    headers: { authorization: basic(credentials.secret, ''), 'content-type': 'application/json' },
    body: JSON.stringify({
      message: message.text,
      sender: message.sender,
      recipients: [{ msisdn: msisdn(message.to) }],
      userref: String(message.id),
      // The gateway does not choose: GSM text sent as UCS2 costs twice, and the reverse arrives with question marks.
      encoding: message.encoding === 'GSM-7' ? 'UTF8' : 'UCS2',
      ...(message.callback_url !== null && { callback_url: message.callback_url }),
    }),
  })
  if (answer.kind !== 'answer') return unansweredOutcome(answer)
  const sent = ClassicSent.safeParse(answer.body)
  if (answer.ok && sent.success) {
    const { ids, usage } = sent.data
    const price_micro = usage?.total_cost === undefined ? null : micro(usage.total_cost)
    return { outcome: 'sent', provider_id: String(ids[0]), parts: null, price_micro, currency: usage?.currency ?? null }
  }
  if (answer.ok) return { outcome: 'unknown', problem: 'no_answer', answer: saidIn(answer) }
  const [outcome, problem] = classicProblems[ClassicError.safeParse(answer.body).data?.code ?? ''] ?? []
  return outcome && problem ? { outcome, problem, answer: saidIn(answer) } : plainOutcome(answer.status, saidIn(answer))
}

const MessagingSent = z.object({
  responses: z.array(z.object({ msg_id: z.string().optional(), error: z.unknown().optional(), reference: z.string().optional() })),
})

async function sendMessaging(batch: readonly OutgoingSms[], credentials: SmsCredentials, tools: SmsTools): Promise<SmsOutcome[]> {
  const answer = await exchange(tools, `${root(credentials, tools)}/mobile/multi`, {
    method: 'POST',
    headers: { authorization: `Token ${credentials.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      messages: batch.map(({ id, to, text, sender }) => ({
        sender,
        recipient: msisdn(to),
        message: text,
        reference: String(id),
        priority: 'normal',
      })),
    }),
  })
  if (answer.kind !== 'answer') return batch.map(() => unansweredOutcome(answer))
  const sent = MessagingSent.safeParse(answer.body)
  if (!answer.ok) {
    const outcome: SmsOutcome =
      answer.status === 422
        ? { outcome: 'failed', problem: 'text_refused', answer: saidIn(answer) }
        : plainOutcome(answer.status, saidIn(answer))
    return batch.map(() => outcome)
  }
  const byReference = new Map((sent.data?.responses ?? []).map((one, at) => [one.reference ?? String(batch[at]?.id), one]))
  return batch.map(({ id }) => {
    const one = byReference.get(String(id))
    if (one?.msg_id !== undefined) return { outcome: 'sent', provider_id: one.msg_id, parts: null, price_micro: null, currency: null }
    return one
      ? { outcome: 'failed', problem: 'rejected', answer: '' }
      : { outcome: 'unknown', problem: 'no_answer', answer: saidIn(answer) }
  })
}

async function sendInTurns(batch: readonly OutgoingSms[], credentials: SmsCredentials, tools: SmsTools): Promise<SmsOutcome[]> {
  const outcomes: SmsOutcome[] = []
  for (let from = 0; from < batch.length; from += atOnce)
    outcomes.push(...(await Promise.all(batch.slice(from, from + atOnce).map(message => sendClassic(message, credentials, tools)))))
  return outcomes
}

const states: Readonly<Record<string, SmsReport['state']>> = {
  SCHEDULED: 'sent',
  BUFFERED: 'sent',
  ENROUTE: 'sent',
  ACCEPTED: 'sent',
  DELIVERED: 'delivered',
  EXPIRED: 'expired',
  DELETED: 'failed',
  UNDELIVERABLE: 'failed',
  REJECTED: 'failed',
  SKIPPED: 'failed',
}
const problems: Readonly<Record<string, SmsProblem>> = { EXPIRED: 'expired', UNDELIVERABLE: 'undeliverable', REJECTED: 'rejected' }

const text = z.union([z.string(), z.number()]).transform(String)
const Report = z.object({ id: text.optional(), msg_id: text.optional(), status: z.string() })
const Incoming = z.object({
  id: text.optional(),
  msg_id: text.optional(),
  msisdn: text.optional(),
  sender: text.optional(),
  receiver: text,
  message: z.string(),
})

/** The body that the gateway has signed: a JWT that holds it, or a code of the raw bytes. */
function signedBody({ raw, headers }: SmsCallback, { api, callback_secret }: SmsCredentials): unknown {
  if (callback_secret === '') return undefined
  const body = Buffer.from(raw)
  if (api === 'messaging') {
    const given = String(headers.signature ?? '')
    const expected = hmac('sha256', callback_secret, body)
    const fits = isSame(Buffer.from(given, 'hex'), expected) || isSame(Buffer.from(given, 'base64'), expected)
    return fits ? parsed(body.toString('utf8')) : undefined
  }
  const [head = '', payload = '', signature = '', ...more] = String(headers['x-gwapi-signature'] ?? '').split('.')
  if (more.length > 0 || z.object({ alg: z.literal('HS256') }).safeParse(parsed(decoded(head))).success === false) return undefined
  if (!isSame(Buffer.from(signature, 'base64url'), hmac('sha256', callback_secret, `${head}.${payload}`))) return undefined
  return parsed(decoded(payload))
}

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString('utf8')
function parsed(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

export const gatewayApi: SmsGateway = {
  most_at_once: mostAtOnce,
  needs: ['api', 'region', 'secret', 'callback_secret'],
  reports: 'callback',
  answers: true,
  send: (batch, credentials, tools) => (credentials.api === 'classic' ? sendInTurns : sendMessaging)(batch, credentials, tools),

  async balance(credentials, tools) {
    // The Messaging API names no balance.
    if (credentials.api === 'messaging') return null
    const headers = { authorization: basic(credentials.secret, '') }
    const { credit, currency } = answerTo(Credit, await exchange(tools, `${root(credentials, tools)}/rest/me`, { method: 'GET', headers }))
    return { balance_micro: micro(credit), currency }
  },

  readCallback(call, credentials) {
    const body = signedBody(call, credentials)
    if (body === undefined) return null
    const incoming = Incoming.safeParse(body)
    if (incoming.success) {
      const { id, msg_id, msisdn: from, sender, receiver, message } = incoming.data
      const one: IncomingSms = { provider_id: id ?? msg_id ?? '', from: `+${from ?? sender ?? ''}`, to: receiver, text: message }
      return { reports: [], incoming: [one] }
    }
    const report = Report.safeParse(body)
    const state = states[report.data?.status.toUpperCase() ?? '']
    const provider_id = report.data?.id ?? report.data?.msg_id
    if (!report.success || !state || provider_id === undefined) return { reports: [], incoming: [] }
    const problem = state === 'failed' || state === 'expired' ? (problems[report.data.status.toUpperCase()] ?? 'failed') : null
    return { reports: [{ provider_id, state, problem, parts: null, price_micro: null, currency: null }], incoming: [] }
  },
}
