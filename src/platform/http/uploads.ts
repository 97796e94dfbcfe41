/** Reads uploaded files, sent as the body or as multipart form data. */
import type { FastifyRequest } from 'fastify'
import type { Upload } from '#contract/endpoint.ts'
import { badRequest } from '#contract/errors.ts'

/** `maxBytes` limits a file in a form; the body has the limit of its route. */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<Upload> {
  if (!request.isMultipart()) {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    return {
      bytes,
      media_type: request.headers['content-type'] ?? 'application/octet-stream',
      name: nameOf(request.headers['x-file-name']),
    }
  }
  const file = await request.file({ limits: { fileSize: maxBytes, files: 1 } })
  if (!file) throw badRequest('file_missing', 'Choose a file first')
  const bytes = await file.toBuffer()
  return { bytes, media_type: file.mimetype, name: nameOf(file.filename) }
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
