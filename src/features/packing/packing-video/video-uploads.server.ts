/**
 * Clips while they arrive: pieces at offsets, written to one file per upload. The database knows an offset only after the file is on
 * the disk up to it, so what a killed server left beyond is cut off with the next piece.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { HandlerInput } from '#contract/endpoint.ts'
import { AppError, conflict, unprocessable } from '#contract/errors.ts'
import { mainCompanySettings } from '#features/company/companies/companies.queries.ts'
import type { Config } from '#platform/config.ts'
import { createTtlCache } from '#platform/database/ttl-cache.ts'
import type { Context, ExternalContext, Services } from '#platform/http/feature-module.ts'
import { noteReceived } from './packing-video.commands.ts'
import type { packingVideo } from './packing-video.contract.ts'
import { lockUpload, uploadOf, usedBytes } from './packing-video.queries.ts'

const folderOf = ({ data_dir }: Pick<Config, 'data_dir'>): string => join(data_dir, 'video-uploads')
export const uploadPath = (config: Pick<Config, 'data_dir'>, operator_id: number, upload_id: number): string =>
  join(folderOf(config), `${operator_id}-${upload_id}`)

export async function receiveChunk(
  { id, offset, upload }: HandlerInput<typeof packingVideo.upload>,
  { transaction, services, principal, headers, setHeader, now }: ExternalContext,
): Promise<void> {
  if (headers['content-length'] === undefined) throw new AppError(411, 'length_missing', 'Say in content-length how many bytes follow')
  // At most four megabytes, which the limit of the call says.
  const chunk = await upload.bytes()
  const sha256 = createHash('sha256').update(chunk).digest('hex')
  if (headers['x-chunk-sha256'] !== sha256)
    throw unprocessable('chunk_hash', 'These bytes did not arrive as they were sent. Send them again.')
  const { operator_id } = principal.company
  // The lock of the row makes a second sender wait; it then finds its bytes stored.
  const received = await transaction(async context => {
    const row = await lockUpload(context.db, id, principal)
    if (offset + chunk.length <= row.received_bytes) return row.received_bytes
    if (offset !== row.received_bytes)
      throw conflict(
        'upload_offset',
        '{{offset}} bytes are stored: go on from there',
        { offset: row.received_bytes },
        { current: { offset: row.received_bytes } },
      )
    if (row.finished_at !== null) throw conflict('upload_ended', 'This upload has ended')
    await mustHaveSpace(services, operator_id, context)
    await writeAt(uploadPath(services.config, operator_id, id), offset, chunk)
    await noteReceived(context.db, id, offset + chunk.length, now())
    return offset + chunk.length
  })
  setHeader('upload-offset', String(received))
}

export async function stateOfUpload(
  { id }: HandlerInput<typeof packingVideo.uploadState>,
  { db, principal }: Context,
): Promise<{ offset: number; state: Awaited<ReturnType<typeof uploadOf>>['state'] }> {
  const { received_bytes, state } = await uploadOf(db, id, principal)
  return { offset: received_bytes, state }
}

async function writeAt(path: string, offset: number, chunk: Uint8Array): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  const handle = await open(path, offset === 0 ? 'w' : 'r+', 0o640)
  try {
    await handle.truncate(offset)
    await handle.write(chunk, 0, chunk.length, offset)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A full disk stops the database too, so clips leave a tenth of it free. */
const fullestDisk = 0.9
const remembered = 5_000
const used = createTtlCache<number>('video_space', (_, operator_id) => Number(operator_id))

/** @throws {Refusal} 507 where the clips of the operator take all that they may, or the disk is almost full */
export async function mustHaveSpace(
  { config, database }: Services,
  operator_id: number,
  { db, now }: Pick<Context, 'db' | 'now'>,
): Promise<void> {
  const { bsize, blocks, bavail } = await statfs(config.data_dir)
  if (1 - (bavail * bsize) / (blocks * bsize) >= fullestDisk)
    throw new AppError(507, 'video_disk', 'The disk of the server is almost full: no more video is taken')
  const known = used.get(String(operator_id), now().getTime())
  const keep = used.beginFill()
  const bytes = known ?? (await usedBytes(db))
  if (known === undefined) keep(String(operator_id), bytes, now().getTime() + remembered)
  const { video } = await mainCompanySettings(database, operator_id)
  if (bytes >= video.storage_gb * 1e9) throw new AppError(507, 'video_storage', 'Packing videos take all the space that they may take')
}

/** Removes files of uploads that have ended or are unknown. */
export async function removeOldUploads(services: Services, isOpen: (files: readonly UploadFile[]) => Promise<Set<string>>): Promise<void> {
  const names = await readdir(folderOf(services.config)).catch(() => [])
  const files = names.flatMap(name => {
    const [, operator_id, id] = /^(\d+)-(\d+)$/.exec(name) ?? []
    return operator_id === undefined || id === undefined ? [] : [{ name, operator_id: Number(operator_id), id: Number(id) }]
  })
  for (let i = 0; i < files.length; i += 1_000) {
    const some = files.slice(i, i + 1_000)
    const open = await isOpen(some)
    for (const { name } of some) if (!open.has(name)) await rm(join(folderOf(services.config), name), { force: true })
  }
}

export interface UploadFile {
  name: string
  operator_id: number
  id: number
}
