/** inMobile v4: batches of 250, reports that are given once, callbacks without a signature. */
import * as z from 'zod'
import {
  type IncomingSms,
  noNews,
  type SmsCredentials,
  type SmsGateway,
  type SmsOutcome,
  type SmsReport,
  type SmsTools,
} from './sms-gateway.ts'
import { answerTo, basic, exchange, plainOutcome, saidIn, unansweredOutcome } from './sms-http.ts'

const root = ({ base_url }: SmsTools): string => `${base_url ?? 'https://api.inmobile.com'}/v4`
const headersOf = ({ secret }: SmsCredentials) => ({ authorization: basic('pakhus', secret), 'content-type': 'application/json' })

const Sent = z.object({
  results: z.array(
    z.object({
      messageId: z.string().min(1),
      smsCount: z.number().int().nullable().optional(),
      numberDetails: z.object({ isValidMsisdn: z.boolean() }),
    }),
  ),
})

/** The gateway cuts longer names in silence, so they are refused here. */
const fitsSender = (sender: string): boolean => (/^\d+$/.test(sender) ? sender.length <= 14 : sender.length <= 11)

const text = z.union([z.string(), z.number()]).transform(String)
const Report = z.object({
  messageId: text,
  deliveryInfo: z.object({ stateDescription: z.string() }),
  chargeInfo: z.object({ smsCount: z.number().int() }).partial().nullable().optional(),
})
const Reports = z.object({ reports: z.array(z.unknown()) })
const Incoming = z.object({
  from: z.union([text, z.object({ msisdn: text })]),
  to: z.union([text, z.object({ msisdn: text })]),
  text: z.string(),
  messageId: text.optional(),
})
const IncomingList = z.object({ messages: z.array(z.unknown()) })

function stateOf(description: string): Pick<SmsReport, 'state' | 'problem'> | null {
  const word = description.toLowerCase()
  if (word.includes('expired')) return { state: 'expired', problem: 'expired' }
  if (word.includes('undeliver')) return { state: 'failed', problem: 'undeliverable' }
  if (word.includes('reject')) return { state: 'failed', problem: 'rejected' }
  if (word.includes('fail') || word.includes('cancel')) return { state: 'failed', problem: 'failed' }
  if (word.includes('deliver')) return { state: 'delivered', problem: null }
  return word === 'sent' || word === 'enroute' ? { state: 'sent', problem: null } : null
}

/** Null for a report that says nothing yet. */
function reportOf(written: unknown): SmsReport | null {
  const read = Report.safeParse(written).data
  const state = read && stateOf(read.deliveryInfo.stateDescription)
  return state
    ? { provider_id: read.messageId, ...state, parts: read.chargeInfo?.smsCount ?? null, price_micro: null, currency: null }
    : null
}

const numberOf = (written: string | { msisdn: string }): string => (typeof written === 'string' ? written : written.msisdn)

function incomingOf(written: unknown): IncomingSms | null {
  const read = Incoming.safeParse(written).data
  if (!read) return null
  const from = numberOf(read.from).replace(/^\+?/, '+')
  return { provider_id: read.messageId ?? '', from, to: numberOf(read.to), text: read.text }
}

const some = <T>(list: readonly (T | null)[]): T[] => list.flatMap(one => (one === null ? [] : [one]))

export const inMobile: SmsGateway = {
  most_at_once: 250,
  needs: ['secret'],
  reports: 'poll',
  answers: true,

  async send(batch, credentials, tools) {
    const refused: SmsOutcome = { outcome: 'failed', problem: 'sender_refused', answer: '' }
    const sendable = batch.filter(({ sender }) => fitsSender(sender))
    if (sendable.length === 0) return batch.map(() => refused)
    const answer = await exchange(tools, `${root(tools)}/sms/outgoing`, {
      method: 'POST',
      headers: headersOf(credentials),
      body: JSON.stringify({
        messages: sendable.map(({ to, text: written, sender, encoding, callback_url }) => ({
          to: to.replace('+', ''),
          text: written,
          from: sender,
          encoding: encoding === 'GSM-7' ? 'gsm7' : 'ucs2',
          flash: false,
          respectBlacklist: true,
          ...(callback_url !== null && { statusCallbackUrl: callback_url }),
        })),
      }),
    })
    const outcomeAt = outcomesOf(answer, sendable.length)
    let at = 0
    return batch.map(({ sender }) => (fitsSender(sender) ? outcomeAt(at++) : refused))
  },

  /** Its documents name no call for it. */
  balance: async () => null,

  /** Not signed: the secret in the address and a known id are what counts. */
  readCallback({ raw }) {
    try {
      const body: unknown = JSON.parse(Buffer.from(raw).toString('utf8'))
      const list = z
        .array(z.unknown())
        .catch([body])
        .parse(Reports.safeParse(body).data?.reports ?? body)
      return { reports: some(list.map(reportOf)), incoming: some(list.map(incomingOf)) }
    } catch {
      return noNews
    }
  },

  async poll(credentials, tools) {
    const get = (path: string) => exchange(tools, `${root(tools)}/${path}`, { method: 'GET', headers: headersOf(credentials) })
    const { reports } = answerTo(Reports, await get('sms/outgoing/reports?limit=250'))
    const { messages } = answerTo(IncomingList, await get('sms/incoming/messages'))
    return { reports: some(reports.map(reportOf)), incoming: some(messages.map(incomingOf)) }
  },
}

/** What the answer says of each message; 200 also where a number is invalid. */
function outcomesOf(answer: Awaited<ReturnType<typeof exchange>>, count: number): (at: number) => SmsOutcome {
  if (answer.kind !== 'answer') return () => unansweredOutcome(answer)
  if (!answer.ok) return () => plainOutcome(answer.status, saidIn(answer))
  const results = Sent.safeParse(answer.body).data?.results ?? []
  return at => {
    const one = results.length === count ? results[at] : undefined
    if (!one) return { outcome: 'unknown', problem: 'no_answer', answer: saidIn(answer) }
    return one.numberDetails.isValidMsisdn
      ? { outcome: 'sent', provider_id: one.messageId, parts: one.smsCount ?? null, price_micro: null, currency: null }
      : { outcome: 'failed', problem: 'bad_number', answer: '' }
  }
}
