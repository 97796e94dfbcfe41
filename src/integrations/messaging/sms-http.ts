/** Requests to gateways, and what is known when one fails: whether a message can have been accepted. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import type { SmsProblem } from '#domain/sms-codes.ts'
import { textIn } from '#domain/thrown.ts'
import type { SmsOutcome, SmsTools } from './sms-gateway.ts'
import { SmsRefused } from './sms-gateway.ts'

export type HttpAnswer =
  | { kind: 'answer'; status: number; ok: boolean; body: unknown; text: string }
  /** No connection was made. */
  | { kind: 'not_sent' }
  /** Sent, and no answer came. */
  | { kind: 'unanswered' }

/** Milliseconds. */
const patience = 15_000
const mostRead = 2_000_000

const neverLeft = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT|SELF_SIGNED/

export async function exchange(
  { fetch, signal }: SmsTools,
  url: string,
  { method, headers, body }: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
): Promise<HttpAnswer> {
  const patient = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  if (signal.aborted) return { kind: 'not_sent' }
  try {
    // A redirect would send the credentials to another host.
    const answer = await fetch(url, { method, headers, signal: patient, redirect: 'manual', ...(body !== undefined && { body }) })
    const text = (await answer.text()).slice(0, mostRead)
    return { kind: 'answer', status: answer.status, ok: answer.ok, text, body: jsonOf(text) }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const code = `${textIn(error, 'code') ?? ''} ${textIn(cause, 'code') ?? ''} ${textIn(cause, 'message') ?? ''}`
    return { kind: neverLeft.test(code) ? 'not_sent' : 'unanswered' }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is said of every message of a request that was not answered. */
export function unansweredOutcome(answer: Exclude<HttpAnswer, { kind: 'answer' }>): SmsOutcome {
  return answer.kind === 'not_sent'
    ? { outcome: 'later', problem: 'unreachable', answer: '' }
    : { outcome: 'unknown', problem: 'no_answer', answer: '' }
}

/** A status without a meaning of its own at a gateway. A proxy answers 502 and 504 also after the request has passed it. */
export function plainOutcome(status: number, answer: string): SmsOutcome {
  if (status === 401 || status === 403) return { outcome: 'later', problem: 'credentials', answer }
  if (status === 402) return { outcome: 'later', problem: 'no_credit', answer }
  if (status === 429 || status === 503) return { outcome: 'later', problem: 'busy', answer }
  if (status >= 500 || status === 408) return { outcome: 'unknown', problem: 'no_answer', answer }
  return { outcome: 'failed', problem: 'failed', answer }
}

/** The answer to a question about the account; whatever is not one is thrown. */
export function answerTo<T>(schema: z.ZodType<T>, answer: HttpAnswer): T {
  if (answer.kind !== 'answer') throw new SmsRefused(answer.kind === 'not_sent' ? 'unreachable' : 'no_answer', '')
  const said = saidIn(answer)
  if (!answer.ok) {
    const problem: SmsProblem = answer.status === 401 || answer.status === 403 ? 'credentials' : answer.status === 429 ? 'busy' : 'failed'
    throw new SmsRefused(problem, said)
  }
  const read = schema.safeParse(answer.body)
  if (!read.success) throw new SmsRefused('failed', said)
  return read.data
}

const Said = z.object({ message: z.string().optional(), detail: z.string().optional(), errorMessage: z.string().optional() })

/** What the gateway said, without telephone numbers. */
export function saidIn({ status, body, text }: { status: number; body: unknown; text: string }): string {
  const read = Said.safeParse(body).data
  const said = read?.message ?? read?.detail ?? read?.errorMessage ?? text
  return `${status} ${said}`
    .replace(/\+?\d[\d ]{6,}\d/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
}

export const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

export const hmac = (algorithm: 'sha1' | 'sha256', secret: string, text: string | Uint8Array): Buffer =>
  createHmac(algorithm, secret).update(text).digest()

export function isSame(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** A decimal as millionths. */
export const micro = (amount: number): number => Math.round(amount * 1_000_000)
