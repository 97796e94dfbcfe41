/** Sends files: bytes, streams, and stored files whole or by range (RFC 9110, section 14). */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileAnswer, StoredContent } from '#contract/endpoint.ts'
import { AppError, notFound } from '#contract/errors.ts'
import { type ByteRange, FileMissing } from '#platform/files/file-store.ts'
import type { Services } from './feature-module.ts'

/** The part of a file that a `Range` header asks for: null stands for all of it, `unsatisfiable` for a part that the file does not have. */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | null | 'unsatisfiable' {
  // Several ranges, another unit and a text that is no range are ignored, as the standard allows: the answer is the whole file.
  const [, from = '', to = ''] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const length = Math.min(Number(to), bytes)
    return length === 0 ? 'unsatisfiable' : { first: bytes - length, last: bytes - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return null
  return first >= bytes ? 'unsatisfiable' : { first, last: to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1) }
}

export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, media_type, name, inline, etag }: FileAnswer,
  services: Pick<Services, 'files' | 'log'>,
  operator_id: number,
): Promise<FastifyReply> {
  if ('sha256' in bytes) {
    // Before the headers are set: an error is answered as text.
    const stored = await openStored(request, reply, bytes, services, operator_id)
    setHeaders(reply, { media_type, name, inline })
    return reply.send(stored)
  }
  setHeaders(reply, { media_type, name, inline })
  if (etag !== undefined) {
    reply.header('etag', etag)
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  }
  if (bytes instanceof Uint8Array) {
    if (request.method === 'HEAD') return reply.header('content-length', bytes.length).send()
    return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
  return request.method === 'HEAD' ? reply.send() : reply.send(Readable.from(bytes))
}

/** Sets what a range answer needs and opens what is to be sent; undefined where the answer has no body. */
async function openStored(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  content: StoredContent,
  { files, log }: Pick<Services, 'files' | 'log'>,
  operator_id: number,
): Promise<Readable | undefined> {
  const etag = `"${content.sha256}"`
  // The hash names the content, so any other value (an older file, a date) asks for the whole of the present one.
  const range = method === 'GET' && (headers['if-range'] ?? etag) === etag ? rangeOf(headers.range, content.bytes) : null
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${content.bytes}`)
    throw new AppError(416, 'range_not_satisfiable', 'The file has no such part')
  }
  const length = range ? range.last - range.first + 1 : content.bytes
  const stream = method === 'HEAD' ? undefined : await openContent(range ?? undefined)
  reply.header('accept-ranges', 'bytes').header('etag', etag).header('content-length', length)
  if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${content.bytes}`)
  return stream

  async function openContent(part?: ByteRange): Promise<Readable> {
    try {
      return await files.open(operator_id, content, part)
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error
      log.error({ error: error.message, operator_id }, 'a stored file is missing')
      throw notFound('file_not_found', 'File not found')
    }
  }
}

function setHeaders(reply: FastifyReply, { media_type, name, inline }: Pick<FileAnswer, 'media_type' | 'name' | 'inline'>): void {
  reply.type(media_type)
  if (media_type === 'text/event-stream') reply.header('x-accel-buffering', 'no')
  // A page that the program writes itself says what it loads and where its forms lead.
  else if (!reply.hasHeader('content-security-policy'))
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox",
    )
  if (!name) return
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  reply.header(
    'content-disposition',
    `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  )
}
