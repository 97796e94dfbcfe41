/** How a failure becomes an answer: one sentence a person can act on, and nothing about the inside of the program. */

import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { $ZodIssue } from 'zod/v4/core'
import { AppError, badRequest, conflict, notFound, tooLarge, unavailable } from '#contract/errors.ts'
import { isRecord } from '#domain/objects.ts'
import { textIn } from '#domain/thrown.ts'
import { CommitInDoubtError } from '#platform/database/database.ts'
import { FilesUnavailable } from '#platform/files/file-store.ts'

/** Turns anything thrown into a refusal; `unexpected` is true when no one foresaw it. */
export function toAppError(error: unknown, reference: string): { refusal: AppError; unexpected: boolean } {
  if (error instanceof AppError) return { refusal: error, unexpected: false }
  if (error instanceof PartialFailureError) {
    const why = toAppError(error.cause, reference)
    return { refusal: new AppError(why.refusal.status, 'partly_done', brokeOff, { reference }), unexpected: why.unexpected }
  }
  const known = fromIssues(error) ?? fromFastify(error) ?? fromDatabase(error) ?? fromFiles(error)
  if (known) return { refusal: known, unexpected: false }
  return {
    refusal: new AppError(500, 'internal_error', 'Something went wrong on the server. Nothing was changed. Reference: {{reference}}', {
      reference,
    }),
    unexpected: true,
  }
}

/** A call of several steps failed after one of them was kept: that nothing was changed would not be true. */
export class PartialFailureError extends Error {
  override name = 'BrokeOff'
  constructor(cause: unknown) {
    super(String(cause), { cause })
  }
}
const brokeOff = 'This broke off in the middle. What was begun is carried on automatically: look how far it came. Reference: {{reference}}'

/** The answer: plain text by default, problem details (RFC 9457) or plain JSON on request. */
export function sendError(request: FastifyRequest, reply: FastifyReply, refusal: AppError): FastifyReply {
  reply.code(refusal.status).header('cache-control', 'no-store')
  request.refused = refusal.code
  if ((refusal.status === 429 || refusal.status === 503) && refusal.values.seconds)
    reply.header('retry-after', String(refusal.values.seconds))
  const { status, message, code, key, values, fields, current } = refusal
  const facts = { code, key, values, fields, ...(current === undefined ? {} : { current }) }
  const accepts = request.headers.accept ?? ''
  if (accepts.includes('application/problem+json'))
    return reply
      .type('application/problem+json; charset=utf-8')
      .send(JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: message, ...facts }))
  if (accepts.includes('application/json')) return reply.type('application/json; charset=utf-8').send(JSON.stringify({ message, ...facts }))
  return reply.type('text/plain; charset=utf-8').send(refusal.message)
}

/** Zod's findings, in words, by field. */
function validationError(issues: readonly Pick<$ZodIssue, 'path' | 'message'>[]): AppError {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const path = issue.path
      .map(part => (typeof part === 'number' ? `[${part}]` : String(part)))
      .join('.')
      .replaceAll('.[', '[')
    fields[path] ??= issue.message
  }
  const [[field, message] = ['', 'The request is not understood']] = Object.entries(fields)
  return badRequest('field_invalid', field ? '{{field}}: {{problem}}' : '{{problem}}', { field, problem: message }, { fields })
}

/** As fastify-type-provider-zod wraps Zod's findings: the path in `instancePath`, the sentence in `message`. */
interface Wrapped {
  instancePath?: string
  message?: string
}

function fromIssues(error: unknown): AppError | undefined {
  const { validation, issues } = error as { validation?: Wrapped[]; issues?: $ZodIssue[] }
  if (Array.isArray(validation)) {
    const found = validation.flatMap(({ instancePath = '', message }) =>
      message === undefined
        ? []
        : [{ path: instancePath.split('/').flatMap(part => (part === '' ? [] : [/^\d+$/.test(part) ? Number(part) : part])), message }],
    )
    return found.length ? validationError(found) : badRequest('request_not_understood', 'The request is not understood')
  }
  return Array.isArray(issues) && textIn(error, 'name') === 'ZodError' ? validationError(issues) : undefined
}

function fromFastify(error: unknown): AppError | undefined {
  const code = textIn(error, 'code')
  const statusCode = isRecord(error) && typeof error.statusCode === 'number' ? error.statusCode : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413)
    return tooLarge('request_too_large', 'This is larger than what is taken here')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError(415, 'media_type_not_supported', 'This kind of content is not taken here; send JSON')
  if (statusCode === 400 && (code?.startsWith('FST_') || error instanceof SyntaxError))
    return badRequest('request_not_json', 'The request is not understood: it is not valid JSON')
  if (statusCode === 403 || statusCode === 404) return notFound('address_not_found', 'There is nothing at this address')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return badRequest('request_not_understood', 'The request is not understood')
  return undefined
}

/** Never "nothing was changed" where that is not known. */
const inDoubt = 'The database broke off while this was being saved. Look whether it was done before you try again.'

/** SQLSTATEs that are no fault of the program: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function fromDatabase(error: unknown): AppError | undefined {
  const code = textIn(error, 'code')
  const message = textIn(error, 'message')
  if (error instanceof CommitInDoubtError) return unavailable('outcome_unknown', inDoubt)
  if (isConnectionError(error))
    return unavailable('database_unavailable', 'The database does not answer at the moment. Nothing was changed. Try again.')
  if (code === '53100') return unavailable('disk_full', full)
  if (code === '55P03' || code === '40P01' || code === '40001' || code === '23514')
    return conflict('busy', 'Someone else is changing this right now. Try again.')
  if (code === '57014' || message === 'Query read timeout')
    return unavailable('timed_out', 'This took too long and was stopped. Nothing was changed.')
  if (code === 'PK001') return conflict('invoice_kept', 'A frozen invoice is kept until its time ends')
  if (code === 'PK002') return conflict('company_closed', 'This company is closed. Nothing new is taken for it.')
  if (code === '23505') return conflict('already_exists', 'This exists already')
  if (code === '23503') return conflict('still_needed', 'Something else still needs this')
  if (code === '22P05' || code === '22021') return badRequest('character_not_storable', 'It holds a character that cannot be stored')
  if (code === '22003') return badRequest('number_too_large', 'A number is too large')
  return undefined
}

const full = 'The disk of the server is full. Nothing was changed. Someone has to make room there.'

function fromFiles(error: unknown): AppError | undefined {
  if (error instanceof FilesUnavailable)
    return unavailable('file_store_unavailable', 'The file store does not answer at the moment. Nothing was changed. Try again.')
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(textIn(error, 'code') ?? '') ? unavailable('disk_full', full) : undefined
}

/** True when the database went away: the same request may be asked again if it only reads. */
export function isConnectionError(error: unknown): boolean {
  const code = textIn(error, 'code')
  if (textIn(error, 'name') === 'DatabaseSilent' || textIn(error, 'syscall') === 'connect') return true
  if (code && ['57P01', '57P02', '57P03', '08000', '08003', '08006', '53300', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code))
    return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    textIn(error, 'message') ?? '',
  )
}
