/** Refusals: a status, a machine code, a sentence with placeholders, and the values of the placeholders. */
import type { ErrorCode } from './error-codes.ts'

export type Values = Record<string, string | number | null | undefined>

export class AppError extends Error {
  readonly status: number
  /** Clients branch on it; it stays when the sentence changes. */
  readonly code: ErrorCode
  /** The sentence with placeholders: the translation key. */
  readonly key: string
  readonly values: Values
  /** Field path → sentence, for forms. */
  readonly fields: Record<string, string>
  /** The present state of the object, when an old version was sent. */
  readonly current: unknown

  constructor(
    status: number,
    code: ErrorCode,
    key: string,
    values: Values = {},
    more: { fields?: Record<string, string>; current?: unknown } = {},
  ) {
    super(interpolate(key, values))
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.key = key
    this.values = values
    this.fields = more.fields ?? {}
    this.current = more.current
  }
}

/** Replaces `{{name}}` by its value. The same placeholders work in the browser's translations. */
export const interpolate = (sentence: string, values: Values): string =>
  sentence.replace(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place))

const refusal =
  (status: number) =>
  (code: ErrorCode, sentence: string, values?: Values, more?: { fields?: Record<string, string>; current?: unknown }): AppError =>
    new AppError(status, code, sentence, values, more)

/** The request itself is invalid. */
export const badRequest = refusal(400)
/** The caller is not signed in. */
export const unauthorized = refusal(401)
/** Signed in, but without the permission. */
export const forbidden = refusal(403)
/** It does not exist in this scope. Objects of other tenants answer the same. */
export const notFound = refusal(404)
/** It exists, but its state does not allow this now. */
export const conflict = refusal(409)
/** Too large. */
export const tooLarge = refusal(413)
/** Readable, but a value is invalid. */
export const unprocessable = refusal(422)
export const tooMany = refusal(429)
/** The courier, the printer or another outside system failed. */
export const externalFailed = refusal(502)
export const unavailable = refusal(503)

/** The row, or a 404 when there is none. */
export function orNotFound<T>(row: T | null | undefined, code: ErrorCode, sentence: string): T {
  if (row === null || row === undefined) throw notFound(code, sentence)
  return row
}
