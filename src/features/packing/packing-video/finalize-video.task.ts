/** Makes arrived clips seekable, and cuts those that are shared without their label. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errorOf } from '#domain/thrown.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { runInThread } from '#platform/threads/worker-thread.ts'
import type { Finalized, FinalizeTask } from './finalize-video.thread.ts'
import type { VideoError } from './packing-video.codes.ts'
import { failVideo, makeAvailable, storeCut } from './packing-video.commands.ts'
import { clipFile, uploadOfVideo, videoById } from './packing-video.queries.ts'
import { uploadPath } from './video-uploads.server.ts'

const thread = new URL('./finalize-video.thread.ts', import.meta.url)
/** Heap limit of the thread in megabytes, whatever the size of the clip. */
const memory = 96
const patience = 600_000

export const finalizeVideo: Tasks['video.finalize'] = async ({ video_id }, context) => {
  const { services, transaction, principal } = context
  const { operator_id } = principal.company
  const upload = await transaction(({ db }) => uploadOfVideo(db, video_id))
  if (upload?.state !== 'processing') return
  const from = uploadPath(services.config, operator_id, upload.id)
  const fail = (error: VideoError) => transaction(context => failVideo(context, video_id, error))
  if (!(await stat(from).catch(() => undefined))?.size) return fail('not_video')
  if (upload.sha256 !== null && (await sha256Of(from)) !== upload.sha256.toLowerCase()) return fail('hash')
  await withFile(context, async to => {
    const answer = await copyIn(context, { from, to, until_ms: null })
    if ('error' in answer) return fail(answer.error)
    const content = await services.files.put(operator_id, createReadStream(to))
    await transaction(context => makeAvailable(context, video_id, { content, ...answer }))
  })
  await rm(from, { force: true })
}

export const cutVideo: Tasks['video.cut'] = async ({ share_id }, context) => {
  const { services, transaction, principal } = context
  const { operator_id } = principal.company
  const clip = await transaction(async ({ db }) => {
    const share = await db
      .selectFrom('video_shares')
      .select(['video_id', 'cut_ms', 'file_id'])
      .where('id', '=', share_id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (!share || share.cut_ms === null || share.file_id !== null) return null
    const { file_id } = await videoById(db, share.video_id)
    const stored = file_id === null ? undefined : await clipFile(db, file_id)
    return stored && { stored, until_ms: share.cut_ms }
  })
  if (!clip) return
  await withFile(context, async to => {
    const from = `${to}.whole`
    await pipeline(await services.files.open(operator_id, clip.stored), createWriteStream(from))
    const answer = await copyIn(context, { from, to, until_ms: clip.until_ms })
    if ('error' in answer) throw new Error(`A stored clip cannot be cut: ${answer.error}`)
    const content = await services.files.put(operator_id, createReadStream(to))
    await transaction(context => storeCut(context, share_id, content))
  })
}

/** Runs the thread within its limits of memory and time: what exceeds them is no clip of packing. */
async function copyIn({ signal, services }: ExternalContext, task: FinalizeTask): Promise<Finalized> {
  const late = AbortSignal.timeout(patience)
  try {
    return await runInThread<Finalized>(thread, task, { signal: AbortSignal.any([signal, late]), memory })
  } catch (error) {
    // The server ends: the task runs again.
    if (signal.aborted) throw error
    services.log.warn({ error: errorOf(error).message }, 'a packing video could not be read')
    return { error: late.aborted ? 'too_slow' : 'damaged' }
  }
}

/** A place for one file, removed afterwards with all that stands beside it. */
async function withFile({ services }: ExternalContext, use: (path: string) => Promise<void>): Promise<void> {
  const parent = join(services.config.data_dir, 'video-drafts')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'clip-'))
  try {
    await use(join(folder, 'clip'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}
