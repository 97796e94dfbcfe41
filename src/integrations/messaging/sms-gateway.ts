/** What every gateway of text messages does: sends, answers what is left of the balance, and reports what became of each message. */
import type { IncomingHttpHeaders } from 'node:http'
import type { SmsEncoding, SmsProblem } from '#domain/sms-codes.ts'

export interface SmsCredentials {
  /** Of GatewayAPI: which of its two interfaces. */
  api: 'classic' | 'messaging'
  /** Of GatewayAPI: where its keys belong. */
  region: 'com' | 'eu'
  /** Of Twilio: the account's SID. */
  user_name: string
  secret: string
  /** What the gateway signs its calls with, where it does so with a secret of its own. */
  callback_secret: string
}

export interface OutgoingSms {
  /** Ours, sent along. */
  id: number
  /** E.164 with its plus sign. */
  to: string
  text: string
  encoding: SmsEncoding
  sender: string
  /** Where reports are to be sent; null where this server has no public address. */
  callback_url: string | null
}

interface Price {
  price_micro: number | null
  currency: string | null
}

/** One for each message, in their order. */
export type SmsOutcome =
  | ({ outcome: 'sent'; provider_id: string; parts: number | null } & Price)
  /** For good: sending it again would end the same. */
  | { outcome: 'failed'; problem: SmsProblem; answer: string }
  /** Nothing was accepted: it may be sent again. */
  | { outcome: 'later'; problem: SmsProblem; answer: string }
  /** Accepted or not: it is never sent again by itself. */
  | { outcome: 'unknown'; problem: SmsProblem; answer: string }

export interface SmsReport extends Price {
  provider_id: string
  state: 'sent' | 'delivered' | 'failed' | 'expired'
  problem: SmsProblem | null
  parts: number | null
}

export interface IncomingSms {
  provider_id: string
  from: string
  to: string
  text: string
}

export interface SmsNews {
  reports: SmsReport[]
  incoming: IncomingSms[]
}

/** A call of the gateway as it came, and the public address that it was sent to. */
export interface SmsCallback {
  raw: Uint8Array
  headers: IncomingHttpHeaders
  url: string
}

export interface SmsTools {
  fetch: typeof globalThis.fetch
  /** In place of the gateway's own address. */
  base_url?: string | undefined
  signal: AbortSignal
}

export interface SmsGateway {
  /** Messages of one request. */
  most_at_once: number
  /** Which of the credentials it needs. */
  needs: readonly (keyof SmsCredentials)[]
  /** How reports and answers arrive. */
  reports: 'callback' | 'poll' | 'none'
  /** False where answers of recipients do not arrive. */
  answers: boolean
  send(batch: readonly OutgoingSms[], credentials: SmsCredentials, tools: SmsTools): Promise<SmsOutcome[]>
  /** Null where the gateway has none. Throws `SmsRefused` where it does not answer. */
  balance(credentials: SmsCredentials, tools: SmsTools): Promise<{ balance_micro: number; currency: string } | null>
  /** Null for a call that the gateway has not made. */
  readCallback(call: SmsCallback, credentials: SmsCredentials): SmsNews | null
  /** Reports that are given once: they are stored before anything else happens. */
  poll?(credentials: SmsCredentials, tools: SmsTools): Promise<SmsNews>
}

/** The gateway does not answer a question. */
export class SmsRefused extends Error {
  override name = 'SmsRefused'
  readonly problem: SmsProblem
  constructor(problem: SmsProblem, answer: string) {
    super(answer)
    this.problem = problem
  }
}

export const noNews: SmsNews = { reports: [], incoming: [] }
