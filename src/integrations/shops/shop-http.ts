/**
 * Requests to the shops that companies name: one client with time-out, bounded answers, a rate per connection, no redirects and no private
 * addresses. It tells apart whether a write can have happened.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod'
import { isRecord } from '#domain/objects.ts'
import { textIn } from '#domain/thrown.ts'
import { fetchOutside, PrivateAddressError } from '#platform/http/outside-request.ts'
import { ShopError } from './shop-connector.ts'
import type { ShopAnswer, ShopHttp, ShopQuestion } from './shop-question.ts'

export type { ShopAnswer, ShopHttp, ShopQuestion } from './shop-question.ts'

export interface ShopHttpOptions {
  base_url: string
  allowedNetworks: readonly string[]
  signal: AbortSignal
  /** What must not appear in words that are kept: keys of the connection. */
  secrets: readonly string[]
  /** Waits until a request may be sent. */
  turn?: (signal: AbortSignal) => Promise<void>
  /** Milliseconds for one request. */
  patience?: number
}

const usualPatience = 15_000
const mostRead = 20_000_000
/** Milliseconds before a question that changes nothing is asked once more. */
const pause = 500

const neverLeft = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT|SELF_SIGNED/

export function openShopHttp(options: ShopHttpOptions): ShopHttp {
  const hide = (words: string) =>
    options.secrets.reduce((kept, secret) => (secret.length < 4 ? kept : kept.replaceAll(secret, '***')), words)
  const fail = (failure: ShopError['failure'], words: string, more: { status?: number; retry_after_s?: number | undefined } = {}) =>
    new ShopError(failure, hide(words), more)

  return {
    async ask(question) {
      const { purpose = question.method === undefined || question.method === 'GET' ? 'read' : 'write', accepts = [] } = question
      const lost = purpose === 'write' ? ('unknown' as const) : ('unavailable' as const)
      for (let tries = 0; ; tries++) {
        await options.turn?.(options.signal)
        const tried = await tryOnce(question, options)
        const again = purpose === 'read' && tries === 0 && !options.signal.aborted
        if ('problem' in tried) {
          if (tried.problem === 'private') throw fail('refused', 'This is not a public address')
          if (again) {
            await sleep(pause, undefined, { signal: options.signal }).catch(() => undefined)
            continue
          }
          if (tried.problem === 'not_sent') throw fail('unavailable', `The shop cannot be reached: ${tried.words}`)
          throw fail(lost, tried.problem === 'too_large' ? 'The answer of the shop is too large' : 'The shop did not answer in time')
        }
        const { answer } = tried
        const { status } = answer
        if (accepts.includes(status)) return answer
        if (status >= 300 && status < 400)
          throw fail('unreadable', `The shop sends on to another address: ${answer.headers.get('location') ?? status}`, { status })
        if (status < 300) return answer
        const retry_after_s = secondsOf(answer.headers.get('retry-after'))
        const words = wordsIn(answer)
        // Sent back before anything was done.
        if (status === 429 || status === 503) throw fail('unavailable', words, { status, retry_after_s })
        if (status === 401 || status === 403) throw fail('denied', words, { status })
        if (status >= 500 || status === 408) {
          if (again) {
            await sleep(pause, undefined, { signal: options.signal }).catch(() => undefined)
            continue
          }
          throw fail(lost, words, { status })
        }
        throw fail('refused', words, { status })
      }
    },
  }
}

type Tried = { answer: ShopAnswer } | { problem: 'not_sent' | 'unanswered' | 'too_large' | 'private'; words: string }

async function tryOnce({ path, query, method = 'GET', headers = {}, body }: ShopQuestion, options: ShopHttpOptions): Promise<Tried> {
  const { base_url, allowedNetworks, signal, patience = usualPatience } = options
  const url = `${base_url}${path}${query ? `?${new URLSearchParams(query)}` : ''}`
  const json = typeof body === 'object'
  try {
    const answer = await fetchOutside(url, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'Pakhus',
        ...(json && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json ? JSON.stringify(body) : body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
      allowedNetworks,
      most: mostRead,
    })
    const text = await answer.text()
    return { answer: { status: answer.status, headers: answer.headers, text, body: jsonOf(text) } }
  } catch (error) {
    if (error instanceof PrivateAddressError) return { problem: 'private', words: error.message }
    const code = textIn(error, 'code') ?? ''
    if (neverLeft.test(code)) return { problem: 'not_sent', words: code }
    if (/answers more than/.test(String(error))) return { problem: 'too_large', words: String(error) }
    return { problem: 'unanswered', words: String(error) }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** `Retry-After` as seconds or as a date; at most a day. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000)
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(1, seconds)) : undefined
}

const words = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() ? value.trim() : undefined)

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

/** What a shop says about a refusal: its message, else the start of the text without tags. */
export function wordsIn({ status, text, body }: Pick<ShopAnswer, 'status' | 'text' | 'body'>): string {
  const said = fieldsOf(body)
  const first = Array.isArray(said.errors) ? said.errors[0] : said.errors
  const inner = fieldsOf(first)
  const message =
    words(said.message) ?? words(inner.message) ?? words(inner.detail) ?? words(inner.title) ?? words(first) ?? words(said.error)
  const start = message ?? text.slice(0, 2_000).replace(/<[^<>]{0,500}>/g, ' ')
  return `${status} ${start}`.replace(/\s+/g, ' ').trim().slice(0, 500)
}

/** The body of an answer by its schema. A page of HTML with the status 200 is another program, or a firewall. */
export function readShop<T>(schema: z.ZodType<T>, answer: ShopAnswer, purpose: 'read' | 'write' = 'read'): T {
  const read = schema.safeParse(answer.body)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const what = answer.body === undefined ? `no JSON: ${wordsIn(answer)}` : `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
  throw new ShopError(purpose === 'write' ? 'unknown' : 'unreadable', `The answer of the shop makes no sense (${what})`, {
    status: answer.status,
  })
}

/** Lets a connection send so many requests in so many seconds; the ones above wait. */
export function openTurns({ requests, seconds }: { requests: number; seconds: number }): (signal: AbortSignal) => Promise<void> {
  const between = (seconds * 1_000) / requests
  let free = 0
  return async signal => {
    const now = performance.now()
    // After a pause as many may go at once as the rate allows.
    free = Math.max(free, now - seconds * 1_000) + between
    const wait = free - now
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined)
  }
}
