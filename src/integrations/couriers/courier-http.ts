/** Requests to couriers, and what an answer means: whether a booking can have been made. */
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod'
import { textIn } from '#domain/thrown.ts'
import { PrivateAddressError, resolveOutside } from '#platform/http/outside-request.ts'
import { CourierRefused, CourierUnavailable, OutcomeUnknown } from './courier.ts'

/** The bounds of a whole list of parcel shops. */
export const wholeList = { patience: 120_000, largest: 64_000_000 }

/** Where a courier is asked; tests name the loopback. */
export interface CourierHost {
  /** Without a slash at its end. */
  url: string
  fetch?: typeof globalThis.fetch
}

/** A booking and a cancellation change something at the courier; everything else may be asked again. */
export type Purpose = 'book' | 'cancel' | 'read'

export interface CourierQuestion {
  /** The courier's name, for sentences. */
  courier: string
  purpose: Purpose
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
  fetch?: typeof globalThis.fetch | undefined
  /** For a long list: milliseconds for one try, and bytes of the answer. */
  patience?: number
  largest?: number
  /** Answers that the adapter reads itself, whatever their status says: a login that ran out, a fault that is an answer. */
  reads?: (answer: CourierAnswer) => boolean
  /** No second try: a person waits, and an answer is not needed. */
  once?: boolean
}

/** An answer that was read to its end. Unless the adapter `reads` it, its status is below 500 and neither 401, 403, 408 nor 429. */
export interface CourierAnswer {
  status: number
  ok: boolean
  headers: Headers
  bytes: Uint8Array
  text: string
  /** Undefined where the text is no JSON. */
  body: unknown
}

/** Milliseconds for one try. */
const patience: Record<Purpose, number> = { book: 25_000, cancel: 15_000, read: 10_000 }
const mostRead = 10_000_000
/** Milliseconds before a question that changes nothing is asked again. */
const pauses = [500, 2_000]
/** Seconds that a busy courier may ask for. */
const longestWait = 5

const neverLeft = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT|SELF_SIGNED/

type Try =
  | { kind: 'answer'; answer: CourierAnswer }
  /** No connection was made. */
  | { kind: 'not_sent' }
  /** Sent, and no complete answer came. */
  | { kind: 'unanswered' }

/**
 * Asks and tells apart what a booking needs to know. Throws `CourierUnavailable` when nothing was done, `OutcomeUnknown` when a
 * booking may have been made, `CourierRefused` when the account may not ask. Follows no redirect.
 */
export async function askCourier(question: CourierQuestion): Promise<CourierAnswer> {
  const { courier, purpose, signal } = question
  for (let tries = 0; ; tries++) {
    const outcome = await tryOnce(question)
    if (outcome.kind === 'answer' && question.reads?.(outcome.answer)) return outcome.answer
    const pause = question.once ? undefined : pauseBefore(outcome, purpose, tries)
    if (pause !== undefined && !signal.aborted) {
      await sleep(pause, undefined, { signal }).catch(() => undefined)
      continue
    }
    if (outcome.kind === 'not_sent') throw new CourierUnavailable(`${courier} cannot be reached`)
    if (outcome.kind === 'unanswered') throw withoutOutcome(purpose, `${courier} did not answer in time`)
    const { status } = outcome.answer
    if (status === 401 || status === 403)
      throw new CourierRefused(`${courier} refuses the key of this account. Check it in the settings of the courier.`)
    if (status === 429 || status === 503) throw new CourierUnavailable(`${courier} takes no requests at the moment`)
    if (status >= 500 || status === 408 || (status >= 300 && status < 400 && purpose === 'book'))
      throw withoutOutcome(purpose, `${courier} answered with the status ${status}`)
    return outcome.answer
  }
}

const withoutOutcome = (purpose: Purpose, sentence: string): Error =>
  purpose === 'book' ? new OutcomeUnknown(sentence) : new CourierUnavailable(sentence)

/** Milliseconds until the next try; undefined where there is none. */
function pauseBefore(outcome: Try, purpose: Purpose, tries: number): number | undefined {
  const status = outcome.kind === 'answer' ? outcome.answer.status : 0
  if (outcome.kind === 'answer' && status === 429) {
    const seconds = Number(outcome.answer.headers.get('retry-after') ?? Number.NaN)
    return tries === 0 && seconds <= longestWait ? Math.max(0, seconds) * 1_000 : undefined
  }
  const harmless = outcome.kind === 'not_sent' || purpose === 'read' || (purpose === 'cancel' && tries === 0)
  const failed = outcome.kind !== 'answer' || status >= 500 || status === 408
  return harmless && failed ? pauses[tries] : undefined
}

async function tryOnce({
  purpose,
  url,
  method = 'GET',
  headers = {},
  body,
  signal,
  fetch = globalThis.fetch,
  patience: milliseconds = patience[purpose],
  largest = mostRead,
}: CourierQuestion): Promise<Try> {
  const patient = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
  if (patient.aborted) return { kind: 'not_sent' }
  try {
    const answer = await fetch(url, { method, headers, redirect: 'manual', signal: patient, ...(body !== undefined && { body }) })
    const bytes = await readBounded(answer, largest)
    const text = isText(answer) ? Buffer.from(bytes).toString('utf8') : ''
    return { kind: 'answer', answer: { status: answer.status, ok: answer.ok, headers: answer.headers, bytes, text, body: jsonOf(text) } }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const code = `${textIn(error, 'code') ?? ''} ${textIn(cause, 'code') ?? ''} ${textIn(cause, 'message') ?? ''}`
    return { kind: neverLeft.test(code) ? 'not_sent' : 'unanswered' }
  }
}

const isText = (answer: Response) => !/^(application\/(pdf|octet-stream|zip)|image\/)/i.test(answer.headers.get('content-type') ?? '')

async function readBounded(answer: Response, largest: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let read = 0
  for await (const part of answer.body ?? []) {
    read += part.length
    if (read > largest) throw new Error('The answer is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The body of an answer by its schema. A booking whose answer makes no sense may have been made. */
export function readReply<T>(
  schema: z.ZodType<T>,
  answer: CourierAnswer,
  { courier, purpose }: Pick<CourierQuestion, 'courier' | 'purpose'>,
): T {
  const read = schema.safeParse(answer.body)
  if (read.success) return read.data
  throw withoutOutcome(purpose, `The answer of ${courier} makes no sense`)
}

/** The start of what a courier says, on one line, for a refusal that has no other words. */
export const wordsIn = (answer: Pick<CourierAnswer, 'status' | 'text'>): string =>
  `${answer.status} ${answer.text.replace(/<[^>]{0,500}>/g, ' ')}`.replace(/\s+/g, ' ').trim().slice(0, 200)

/**
 * A file behind a link of an answer. One redirect is followed, without the account's headers to another host. Only https, and no
 * address inside a network, unless the link is of the courier's own host.
 */
export async function fetchLinked(
  link: string,
  { host, courier, headers, signal }: { host: CourierHost; courier: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<CourierAnswer> {
  const ask = async (url: string, given: Record<string, string>) => {
    await mustBeOutside(url, host, courier)
    return askCourier({ courier, purpose: 'read', url, headers: given, signal, fetch: host.fetch })
  }
  const first = await ask(link, isOfHost(link, host) ? headers : {})
  const next = first.headers.get('location')
  if (first.status < 300 || first.status >= 400 || next === null) return first
  const target = URL.parse(next, link)?.href ?? ''
  return ask(target, {})
}

function isOfHost(link: string, host: CourierHost): boolean {
  return URL.parse(link)?.origin === new URL(host.url).origin
}

async function mustBeOutside(link: string, host: CourierHost, courier: string): Promise<void> {
  if (isOfHost(link, host)) return
  const read = URL.parse(link)
  if (read?.protocol !== 'https:') throw new CourierUnavailable(`${courier} names a link that is not safe to open`)
  try {
    await resolveOutside(read.hostname, [])
  } catch (error) {
    if (error instanceof PrivateAddressError) throw new CourierUnavailable(`${courier} names a link that is not safe to open`)
    throw new CourierUnavailable(`${courier} cannot be reached`)
  }
}
