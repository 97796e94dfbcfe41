/** A call that failed, with everything a screen may show or act on (specification, section 8). */
import type { ErrorCode } from '#contract/error-codes.ts'
import { interpolate, type Values } from '#contract/errors.ts'
import { isRecord } from '#domain/objects.ts'
import { reasonPhrases } from './http-status-text.ts'

export class CallError extends Error {
  readonly status: number
  /** The machine code of the server's refusal; null when the answer is none of this server's refusals. */
  readonly code: ErrorCode | null
  /** The English sentence with places: the translation key. */
  readonly key: string
  readonly values: Values
  /** Field path → English sentence. */
  readonly fields: Record<string, string>
  /** The fresh state of the thing, when the sent version was stale. */
  readonly current: unknown
  /** `404: NOT FOUND - Order not found`, as the specification formats it. */
  readonly formatted: string

  constructor(
    status: number,
    key = '',
    more: { code?: ErrorCode; values?: Values; fields?: Record<string, string>; current?: unknown } = {},
  ) {
    const sentence = key === '' ? plainSentence(status) : key
    const said = key === '' ? '' : capitalised(interpolate(key, more.values ?? {}))
    super(interpolate(sentence, more.values ?? {}))
    this.name = 'CallError'
    this.status = status
    this.code = more.code ?? null
    this.key = sentence
    this.values = more.values ?? {}
    this.fields = more.fields ?? {}
    this.current = more.current
    this.formatted = `${status}: ${reasonPhrase(status).toUpperCase()}${said === '' ? '' : ` - ${said}`}`
  }
}

const reasonPhrase = (status: number): string => reasonPhrases[status] ?? 'Unknown'

/** No answer at all: the network or the server is gone. */
export const noAnswer = (): CallError => new CallError(444)
/** Given up, or called off. */
export const tooLate = (): CallError => new CallError(408)

/** What a person reads when the server said nothing of its own. */
function plainSentence(status: number): string {
  if (status === 444) return 'The server does not answer'
  if (status === 408) return 'The server took too long to answer'
  if (status === 401) return 'You are signed out. Sign in again'
  if (status === 403) return 'You are not allowed to do this'
  if (status === 404) return 'Not found'
  if (status === 413) return 'Too large'
  if (status === 429) return 'Too many requests. Wait a moment and try again'
  if (status >= 500) return 'The server failed. Try again'
  return 'The server rejected the request'
}

/** The server's own words in a text answer: text inside a paragraph is taken out of HTML, and other HTML says nothing. */
export function sentenceIn(text: string): string {
  const trimmed = text.trim()
  const paragraph = /<p[^>]*>([^<]*)<\/p>/i.exec(trimmed)?.[1]?.trim()
  if (paragraph !== undefined) return paragraph
  return /<[a-z!/]/i.test(trimmed) ? '' : trimmed
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

interface JsonRefusal {
  code?: unknown
  message?: unknown
  key?: unknown
  values?: unknown
  fields?: unknown
  current?: unknown
}

/** Reads a refusal in either of its two forms: the JSON one and plain text. */
export function errorFrom(status: number, mediaType: string, text: string): CallError {
  if (mediaType.includes('json')) {
    try {
      const json: unknown = JSON.parse(text)
      const body: JsonRefusal = isRecord(json) ? json : {}
      const key = typeof body.key === 'string' ? body.key : typeof body.message === 'string' ? body.message : ''
      return new CallError(status, key, {
        ...(typeof body.code === 'string' && { code: body.code as ErrorCode }),
        values: fieldsOf(body.values, isValue),
        fields: fieldsOf(body.fields, isText),
        current: body.current,
      })
    } catch {
      return new CallError(status)
    }
  }
  return new CallError(status, sentenceIn(text))
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isValue = (value: unknown): value is Values[string] => value === null || isText(value) || typeof value === 'number'

/** The fields whose values have the expected type. */
const fieldsOf = <T>(record: unknown, fits: (value: unknown) => value is T): Record<string, T> =>
  Object.fromEntries(Object.entries(isRecord(record) ? record : {}).flatMap(([name, value]) => (fits(value) ? [[name, value]] : [])))
