/** Writes clips, their uploads, links and views. */
import { sql } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { mainCompanySettings } from '#features/company/companies/companies.queries.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import { eraseFiles } from '#platform/files/erased-files.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { chunkBytes, type VideoError } from './packing-video.codes.ts'
import { at, clipFile, hasOpenCase, lockVideo, packerOfSession, uploadOfVideo } from './packing-video.queries.ts'
import type { CreatedVideo } from './packing-video.schemas.ts'

interface NewVideo {
  company_id: number
  order_id: number
  session_id: number
  station: string
  channel: string
  part_no: number
  client_id: string | null
  source: 'station' | 'recorder'
  recorder_key_id: number | null
  starts_at: string
  ends_at: string | null
  media_type: string | undefined
}

/** The clip of a session, channel and part, made where there is none; with an upload where one is announced. */
export async function openVideo(context: Context, video: NewVideo): Promise<CreatedVideo> {
  const { db, now, recordEvent, notify, services, principal } = context
  const { media_type, ...given } = video
  const about = { ...given, part_no: await partOf(db, video) }
  const { video: settings } = await mainCompanySettings(services.database, principal.company.operator_id)
  const made = await db
    .insertInto('packing_videos')
    .values({
      ...about,
      state: 'requested',
      delete_after: at(new Date(video.starts_at), settings.retention_days * 86_400),
      created_at: now().toISOString(),
    })
    .onConflict(same => same.columns(['operator_id', 'session_id', 'channel', 'part_no']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made)
    await recordEvent({
      kind: 'video.requested',
      order_id: video.order_id,
      company_id: video.company_id,
      subject: 'video',
      subject_id: made.id,
      data: { station: video.station, part_no: about.part_no },
    })
  const row = orNotFound(
    await db
      .selectFrom('packing_videos')
      .select(['id', 'state', 'error', 'client_id'])
      .where('session_id', '=', video.session_id)
      .where('channel', '=', video.channel)
      .where('part_no', '=', about.part_no)
      .forUpdate()
      .executeTakeFirst(),
    'video_not_found',
    'Video not found',
  )
  // Another recording of the session took this part in the same moment.
  if (video.client_id !== null && row.client_id !== video.client_id)
    throw conflict('busy', 'Someone else is changing this right now. Try again.')
  const waits = row.state === 'requested' || (row.state === 'failed' && row.error === 'no_data')
  if (media_type === undefined || !waits) return { video_id: row.id, state: row.state, upload: await openUploadOf(db, row.id) }
  const state = video.source === 'station' ? ('recording' as const) : ('uploading' as const)
  await db
    .updateTable('packing_videos')
    .set({ state, error: null, media_type, recorder_key_id: video.recorder_key_id, starts_at: video.starts_at, ends_at: video.ends_at })
    .where('id', '=', row.id)
    .execute()
  await db
    .insertInto('video_uploads')
    .values({ company_id: video.company_id, video_id: row.id, last_at: now().toISOString() })
    .onConflict(same =>
      same.columns(['operator_id', 'video_id']).doUpdateSet({ last_at: now().toISOString(), finished_at: null, received_bytes: 0 }),
    )
    .execute()
  notify('video', video.order_id, video.company_id)
  return { video_id: row.id, state, upload: await openUploadOf(db, row.id) }
}

/** The part that a recording has already, else the next one of its session. */
async function partOf(db: Db, { client_id, session_id, channel, part_no }: NewVideo): Promise<number> {
  if (client_id === null) return part_no
  const parts = await db
    .selectFrom('packing_videos')
    .select(['part_no', 'client_id'])
    .where('session_id', '=', session_id)
    .where('channel', '=', channel)
    .orderBy('part_no')
    .execute()
  return parts.find(part => part.client_id === client_id)?.part_no ?? (parts.at(-1)?.part_no ?? 0) + 1
}

async function openUploadOf(db: Db, video_id: number): Promise<CreatedVideo['upload']> {
  const upload = await uploadOfVideo(db, video_id)
  return upload && upload.finished_at === null ? { upload_id: upload.id, offset: upload.received_bytes, chunk_bytes: chunkBytes } : null
}

export const noteReceived = async (db: Db, id: number, received_bytes: number, now: Date): Promise<void> =>
  void (await db.updateTable('video_uploads').set({ received_bytes, last_at: now.toISOString() }).where('id', '=', id).execute())

/** Ends an upload: its clip is checked and made seekable by a task. */
export async function finishUpload(
  { db, now, enqueue, notify }: Context,
  { id, video_id, order_id, company_id }: { id: number; video_id: number; order_id: number; company_id: number },
  sha256: string | null,
): Promise<void> {
  await db.updateTable('video_uploads').set({ finished_at: now().toISOString(), sha256 }).where('id', '=', id).execute()
  await db.updateTable('packing_videos').set({ state: 'processing' }).where('id', '=', video_id).execute()
  await enqueue('video.finalize', { video_id }, { key: `video.finalize ${video_id}` })
  notify('video', order_id, company_id)
}

/** Stores the finished clip; false where it was erased meanwhile. */
export async function makeAvailable(
  { db, recordEvent, notify, services, principal }: Context,
  id: number,
  clip: { content: StoredContent; media_type: string; duration_ms: number; coarse: boolean },
): Promise<boolean> {
  const row = await lockVideo(db, id)
  if (row.state !== 'processing') return false
  const { video } = await mainCompanySettings(services.database, principal.company.operator_id)
  const { content, media_type, duration_ms, coarse } = clip
  const { company_id, order_id, station, part_no } = row
  const file_id = await recordFile(db, content, { company_id, order_id, media_type, name: `video-${id}` })
  await db
    .updateTable('packing_videos')
    .set({
      state: 'available',
      file_id,
      media_type,
      duration_ms,
      coarse,
      bytes: content.bytes,
      ends_at: at(new Date(row.starts_at), duration_ms / 1_000),
      delete_after: at(new Date(row.starts_at), video.retention_days * 86_400),
    })
    .where('id', '=', id)
    .execute()
  const seconds = Math.round(duration_ms / 1_000)
  await recordEvent({
    kind: 'video.available',
    order_id,
    company_id,
    subject: 'video',
    subject_id: id,
    data: { station, part_no, seconds },
  })
  notify('video', order_id, company_id)
  return true
}

export async function failVideo({ db, recordEvent, notify }: Context, id: number, error: VideoError): Promise<void> {
  const row = await lockVideo(db, id)
  if (['available', 'expired', 'failed'].includes(row.state)) return
  await db.updateTable('packing_videos').set({ state: 'failed', error }).where('id', '=', id).execute()
  await db.updateTable('video_uploads').set({ finished_at: sql`coalesce(finished_at, now())` }).where('video_id', '=', id).execute()
  const { order_id, company_id, station, part_no } = row
  await recordEvent({ kind: 'video.failed', order_id, company_id, subject: 'video', subject_id: id, data: { station, part_no, error } })
  notify('video', order_id, company_id)
}

/** Keeps a clip longer than usual. The packer whom it shows learns why, as the law on such clips asks. */
export async function holdVideo({ db, principal, recordEvent, notify }: Context, id: number, hold: { until: string; reason: string }) {
  const row = await lockVideo(db, id)
  await db
    .updateTable('packing_videos')
    .set({ held_until: hold.until, held_reason: hold.reason, held_by_name: principal.name })
    .where('id', '=', id)
    .execute()
  const { order_id, company_id } = row
  await recordEvent({ kind: 'video.held', order_id, company_id, subject: 'video', subject_id: id, data: hold })
  const packer = await packerOfSession(db, row.session_id)
  if (packer && packer.id !== principal.id)
    await recordEvent({
      kind: 'video.hold_notice_due',
      company_id: packer.company_id,
      subject: 'user',
      subject_id: packer.id,
      data: { video_id: id, video_company_id: company_id },
    })
  notify('video', order_id, company_id)
}

export async function releaseVideo({ db, recordEvent, notify }: Context, id: number): Promise<void> {
  const row = await lockVideo(db, id)
  if (row.held_until === null) throw unprocessable('video_not_held', 'This video is not held')
  await db.updateTable('packing_videos').set({ held_until: null, held_reason: null, held_by_name: null }).where('id', '=', id).execute()
  const { order_id, company_id } = row
  await recordEvent({ kind: 'video.hold_released', order_id, company_id, subject: 'video', subject_id: id })
  notify('video', order_id, company_id)
}

export async function insertShare(
  { db, now, principal, recordEvent, notify }: Context,
  video: { id: number; company_id: number; order_id: number },
  share: { token: string; expires_at: string; cut_at_label: boolean; cut_ms: number | null },
): Promise<number> {
  const { token, ...about } = share
  const { id } = await db
    .insertInto('video_shares')
    .values({
      ...about,
      company_id: video.company_id,
      video_id: video.id,
      token_hash: hashToken(token),
      created_by_name: principal.name,
      created_at: now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { order_id, company_id } = video
  const { expires_at, cut_at_label } = share
  await recordEvent({
    kind: 'video.shared',
    order_id,
    company_id,
    subject: 'video',
    subject_id: video.id,
    data: { expires_at, cut_at_label },
  })
  notify('video', order_id, company_id)
  return id
}

export async function revokeShare({ db, now, recordEvent, notify }: Context, id: number): Promise<void> {
  const share = orNotFound(
    await db
      .updateTable('video_shares as s')
      .from('packing_videos as v')
      .set({ revoked_at: now().toISOString() })
      .whereRef('v.id', '=', 's.video_id')
      .where('s.id', '=', id)
      .where('s.revoked_at', 'is', null)
      .returning(['s.video_id', 's.file_id', 'v.order_id', 'v.company_id'])
      .executeTakeFirst(),
    'share_not_found',
    'This link does not exist any more',
  )
  if (share.file_id !== null) await eraseFiles(db, [share.file_id], now())
  const { order_id, company_id, video_id } = share
  await recordEvent({ kind: 'video.share_revoked', order_id, company_id, subject: 'video', subject_id: video_id })
  notify('video', order_id, company_id)
}

/** Stores the cut clip of a link, unless the link ended meanwhile. */
export async function storeCut({ db }: Context, share_id: number, content: StoredContent): Promise<void> {
  const share = await db
    .selectFrom('video_shares as s')
    .innerJoin('packing_videos as v', 'v.id', 's.video_id')
    .select(['s.revoked_at', 'v.company_id', 'v.order_id', 'v.media_type', 'v.state'])
    .where('s.id', '=', share_id)
    .forUpdate()
    .executeTakeFirst()
  if (!share || share.revoked_at !== null || share.state !== 'available') return
  const { company_id, order_id } = share
  const file_id = await recordFile(db, content, {
    company_id,
    order_id,
    media_type: share.media_type ?? 'video/webm',
    name: `video-share-${share_id}`,
  })
  await db.updateTable('video_shares').set({ file_id }).where('id', '=', share_id).execute()
}

export const countShareView = async (db: Db, id: number): Promise<void> =>
  void (await db
    .updateTable('video_shares')
    .set(eb => ({ views: eb('views', '+', 1) }))
    .where('id', '=', id)
    .execute())

const viewMinutes = 10

/** Writes that somebody sees a clip: once for ten minutes, however many ranges the player asks for. */
export async function noteView(
  { db, now, principal, recordEvent }: Context,
  video: { id: number; company_id: number; order_id: number },
  share_id: number | null,
): Promise<void> {
  const user_id = share_id === null ? principal.id : null
  const viewer_name = share_id === null ? principal.name : null
  const { rows } = await sql`
    insert into video_views (company_id, video_id, order_id, user_id, viewer_name, share_id, viewed_at)
    select ${video.company_id}::bigint, ${video.id}::bigint, ${video.order_id}::bigint, ${user_id}::bigint, ${viewer_name}::text,
      ${share_id}::bigint, ${now().toISOString()}::timestamptz
    where not exists (select from video_views w where w.operator_id = current_operator_id() and w.video_id = ${video.id}
      and w.user_id is not distinct from ${user_id}::bigint and w.share_id is not distinct from ${share_id}::bigint
      and w.viewed_at > ${at(now(), -viewMinutes * 60)}::timestamptz)
    returning id`.execute(db)
  if (rows.length === 0) return
  const { order_id, company_id } = video
  await recordEvent({
    kind: 'video.viewed',
    order_id,
    company_id,
    subject: 'video',
    subject_id: video.id,
    data: { shared: share_id !== null },
  })
}

/** Deletes the files of a clip and of its links; the row stays. Answers false where it is gone or held, by a person or by an open case. */
export async function deleteVideo({ db, now, recordEvent, notify }: Context, id: number): Promise<boolean> {
  const row = await lockVideo(db, id)
  const held = row.held_until !== null && row.held_until >= now().toISOString().slice(0, 10)
  if (row.state !== 'available' || held || Date.parse(row.delete_after) > now().getTime()) return false
  const { case_open } = await db
    .selectFrom('packing_videos')
    .select(hasOpenCase('packing_videos', now()).as('case_open'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (case_open) return false
  const shares = await db
    .updateTable('video_shares')
    .set({ revoked_at: now().toISOString() })
    .where('video_id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('file_id')
    .execute()
  const files = [row.file_id, ...shares.map(share => share.file_id)].filter(file => file !== null)
  await eraseFiles(db, files, now())
  await db
    .updateTable('packing_videos')
    .set({ state: 'expired', file_id: null, deleted_at: now().toISOString() })
    .where('id', '=', id)
    .execute()
  const { order_id, company_id } = row
  await recordEvent({ kind: 'video.deleted', order_id, company_id, subject: 'video', subject_id: id, data: { reason: 'retention' } })
  notify('video', order_id, company_id)
  return true
}

/** The stored clip of a link or of the whole video. */
export const storedClip = (db: Db, file_id: number | null) => (file_id === null ? undefined : clipFile(db, file_id))
