/** Reads uploaded files as streams, sent as the body or as multipart form data. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Upload } from '#contract/endpoint.ts'
import { badRequest, tooLarge } from '#contract/errors.ts'
import { textIn } from '#domain/thrown.ts'
import { collect } from '#platform/files/content.ts'

/** Leaves the bodies of a server's routes unread, whatever their type: the handler reads them. */
export function acceptUploads(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, body, done) => done(null, body))
  server.register(multipart, { limits: { files: 1, fields: mostFields, parts: mostFields + 1, fieldSize: longestField } })
}
const mostFields = 20
const longestField = 65_536

/** The upload of a request; nothing but its beginning has been read. At most `maxBytes` are accepted. */
export async function openUpload(request: FastifyRequest, maxBytes: number): Promise<Upload> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + (request.isMultipart() ? formBytes : 0)) throw uploadTooLarge()
  if (!request.isMultipart()) {
    const { body, headers } = request
    const digest = digestIn(headers['content-digest'])
    return uploadOf(
      limited(body instanceof Readable ? body : Readable.from([]), maxBytes, digest),
      headers['content-type'] ?? 'application/octet-stream',
      headers['x-file-name'],
    )
  }
  // One byte more than allowed shows that a file is too large.
  const file = await request.file({ limits: { fileSize: maxBytes + 1, files: 1 }, throwFileSizeLimit: false }).catch(error => {
    const code = textIn(error, 'code')
    if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
      throw tooLarge('form_too_many_parts', 'The form has too many parts: it may have {{max}} fields and a file', { max: mostFields })
    // The parser throws plain errors for a form without a boundary, with half a header, or that ends early.
    throw code?.startsWith('FST_') ? error : damaged()
  })
  if (!file) throw badRequest('file_missing', 'Select a file first')
  return uploadOf(limited(file.file, maxBytes), file.mimetype, file.filename)
}

/** What a form may have beside its file: its other fields, boundaries and headers. */
const formBytes = (mostFields + 1) * longestField

const uploadTooLarge = () => tooLarge('request_too_large', 'This is larger than what is taken here')

function uploadOf(content: AsyncIterable<Uint8Array>, media_type: string, name: string | string[] | undefined): Upload {
  return {
    content,
    bytes: () => collect(content),
    media_type,
    name: nameOf(name),
  }
}

/** Passes pieces on and fails at the first one beyond the limit, when the sender breaks off, and at the end when the digest differs. */
async function* limited(body: Readable, maxBytes: number, digest?: Buffer): AsyncGenerator<Uint8Array> {
  const hash = digest && createHash('sha256')
  let bytes = 0
  try {
    // Destroying the request would close the connection before the refusal is sent.
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += piece.length
      if (bytes > maxBytes) throw uploadTooLarge()
      hash?.update(piece)
      yield piece
    }
  } catch (error) {
    throw body.errored ? damaged() : error
  } finally {
    // Reads and drops the rest: most clients look for an answer only when they have sent everything.
    body.resume()
  }
  if (digest && !hash?.digest().equals(digest)) throw damaged()
}

const damaged = () => badRequest('file_damaged', 'The file did not arrive whole. Send it again.')

/** The SHA-256 of a `Content-Digest` header (RFC 9530), where the client sends one. */
function digestIn(header: string | string[] | undefined): Buffer | undefined {
  const text = Array.isArray(header) ? header.join() : header
  const base64 = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(text ?? '')?.[1]
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

/** The name is shown only; it is never used as a path. */
function nameOf(given: string | string[] | undefined): string {
  const text = Array.isArray(given) ? given[0] : given
  let name = text ?? 'file'
  try {
    name = decodeURIComponent(name)
  } catch {
    // Not percent-encoded: use it unchanged.
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not stand in a name
  return name.replace(/[\u0000-\u001f\u007f"\\/]/g, '_').slice(0, 200) || 'file'
}
