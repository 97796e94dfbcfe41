/** Clips, their marks and uploads as they are read. */
import { sql } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { notFound, orNotFound } from '#contract/errors.ts'
import { isRecord } from '#domain/objects.ts'
import type { Principal } from '#platform/auth/identity.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { beginning, containing } from '#platform/database/like-pattern.ts'
import type { MarkKind } from './packing-video.codes.ts'
import type { HeldVideo, PackingVideo, Recorder, VideoMark, VideoView } from './packing-video.schemas.ts'

export async function recordersOf(db: Db, only?: number): Promise<Recorder[]> {
  const rows = await db
    .selectFrom('recorder_keys')
    .select(['id', 'name', 'prefix', 'channels', 'last_seen_at', 'created_at', 'created_by_name', 'revoked_at'])
    .where('revoked_at', 'is', null)
    .$if(only !== undefined, rows => rows.where('id', '=', only ?? 0))
    .orderBy('id')
    .execute()
  return rows.map(({ revoked_at, channels, ...row }) => ({ ...row, channels: channelsIn(channels), active: revoked_at === null }))
}

export async function recorderById(db: Db, id: number): Promise<Recorder> {
  const [row] = await recordersOf(db, id)
  return orNotFound(row, 'recorder_not_found', 'Recorder not found')
}

const channelsIn = (value: unknown): Recorder['channels'] =>
  Array.isArray(value) ? value.flatMap(one => (isRecord(one) ? [{ station: String(one.station), channel: String(one.channel) }] : [])) : []

interface Window {
  order_overview_id: number
  station: string
  channel: string
  starts_at: string
  ends_at: string
}

export const secondsBefore = 5
export const secondsAfter = 20
/** Recorders keep what they filmed for days; what is older is no longer asked for. */
const askedForDays = 7

/** Sessions at the recorder's stations that have ended and whose clips it has not delivered, since the key was made. */
export async function requestedWindows(db: Db, recorder_id: number, now: Date): Promise<Window[]> {
  const { rows } = await sql<{ session_id: number; station: string; channel: string; opened_at: string; ended_at: string }>`
    select s.id as session_id, s.station, c.channel, s.opened_at, s.ended_at
    from recorder_keys k
    cross join jsonb_to_recordset(k.channels) as c(station text, channel text)
    join packing_sessions s on s.operator_id = k.operator_id and s.station = c.station
    where k.operator_id = current_operator_id() and k.id = ${recorder_id}
      and s.ended_at > greatest(k.created_at, ${at(now, -askedForDays * 86_400)}::timestamptz)
      and s.ended_at <= ${at(now, -secondsAfter)}::timestamptz
      and not exists (select from packing_videos v where v.operator_id = s.operator_id and v.session_id = s.id
        and v.channel = c.channel and v.state <> 'requested')
    order by s.ended_at, c.channel limit 100`.execute(db)
  return rows.map(({ session_id, station, channel, opened_at, ended_at }) => ({
    order_overview_id: session_id,
    station,
    channel,
    starts_at: at(new Date(opened_at), -secondsBefore),
    ends_at: at(new Date(ended_at), secondsAfter),
  }))
}

export const at = (from: Date, seconds: number): string => new Date(from.getTime() + seconds * 1_000).toISOString()

const uploads = (db: Db) =>
  db
    .selectFrom('video_uploads as u')
    .innerJoin('packing_videos as v', 'v.id', 'u.video_id')
    .select(['u.id', 'u.video_id', 'u.received_bytes', 'u.finished_at', 'u.sha256', 'v.state', 'v.source', 'v.recorder_key_id'])
    .select(['v.company_id', 'v.order_id', 'v.station', 'v.part_no'])

/** A recorder sees its own uploads alone, and the station those of the stations' cameras. */
const ownUploads = (db: Db, id: number, { kind, key_id }: Principal) => {
  const rows = uploads(db).where('u.id', '=', id)
  return kind === 'recorder' ? rows.where('v.recorder_key_id', '=', key_id) : rows.where('v.source', '=', 'station')
}

export const uploadOf = async (db: Db, id: number, principal: Principal) =>
  orNotFound(await ownUploads(db, id, principal).executeTakeFirst(), 'upload_not_found', 'Upload not found')
export const lockUpload = async (db: Db, id: number, principal: Principal) =>
  orNotFound(await ownUploads(db, id, principal).forUpdate('u').executeTakeFirst(), 'upload_not_found', 'Upload not found')
export const uploadOfVideo = (db: Db, video_id: number) => uploads(db).where('u.video_id', '=', video_id).executeTakeFirst()

/** Bytes of all clips and of uploads that are under way. */
export async function usedBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (select coalesce(sum(bytes), 0) from packing_videos where operator_id = current_operator_id() and state = 'available')
      + (select coalesce(sum(received_bytes), 0) from video_uploads where operator_id = current_operator_id() and finished_at is null) as bytes`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}

const videoColumns = [
  'id',
  'company_id',
  'order_id',
  'session_id',
  'station',
  'channel',
  'source',
  'part_no',
  'state',
  'starts_at',
  'ends_at',
  'duration_ms',
  'bytes',
  'media_type',
  'file_id',
  'coarse',
  'error',
  'held_until',
  'held_by_name',
  'held_reason',
  'delete_after',
  'deleted_at',
] as const

const videoNotFound = 'Video not found'
export const videoById = async (db: Db, id: number) =>
  orNotFound(
    await db.selectFrom('packing_videos').select(videoColumns).where('id', '=', id).executeTakeFirst(),
    'video_not_found',
    videoNotFound,
  )
export const lockVideo = async (db: Db, id: number) =>
  orNotFound(
    await db.selectFrom('packing_videos').select(videoColumns).where('id', '=', id).forUpdate().executeTakeFirst(),
    'video_not_found',
    videoNotFound,
  )

/** What the file store has of a clip. */
export const clipFile = (db: Db, file_id: number) =>
  db
    .selectFrom('files')
    .select(['sha256', 'bytes', 'media_type'])
    .where('id', '=', file_id)
    .where('erased_at', 'is', null)
    .executeTakeFirst()

export interface ClipFile {
  video_id: number
  company_id: number
  order_id: number
  media_type: string
  name: string
  content: StoredContent
}

const mostClips = 50
/** Bytes of clips in one file to take away: mail and the forms of couriers take no more. */
const mostClipBytes = 2_000_000_000

/** What the file store has of the clips of an order, oldest first. */
export async function clipFilesOfOrder(db: Db, order_id: number): Promise<ClipFile[]> {
  const clips = await db
    .selectFrom('packing_videos as v')
    .innerJoin('files as f', 'f.id', 'v.file_id')
    .select(['v.id as video_id', 'v.company_id', 'v.order_id', 'f.media_type', 'f.sha256', 'f.bytes'])
    .where('v.order_id', '=', order_id)
    .where('v.state', '=', 'available')
    .where('f.erased_at', 'is', null)
    .orderBy('v.starts_at')
    .orderBy('v.id')
    .limit(mostClips)
    .execute()
  return clips.map(({ sha256, bytes, ...clip }, place) => ({
    ...clip,
    name: `clip-${place + 1}.${clip.media_type === 'video/mp4' ? 'mp4' : 'webm'}`,
    content: { sha256, bytes },
  }))
}

/** As many of these clips as one file takes. */
export function clipsWithin(clips: readonly ClipFile[]): ClipFile[] {
  let left = mostClipBytes
  return clips.filter(({ content }) => {
    left -= content.bytes
    return left >= 0
  })
}

/** Days for which clips stay after the return or the claim of their order has ended. */
const daysAfterCase = 30

/** Whether the order of a clip has a return or a claim that is open, or ended a few days ago: its clips are what both are decided by. */
export const hasOpenCase = (video: 'v' | 'packing_videos', now: Date) => {
  const since = at(now, -daysAfterCase * 86_400)
  const order = sql`(${sql.ref(`${video}.operator_id`)}, ${sql.ref(`${video}.order_id`)})`
  return sql<boolean>`(
    exists (select from returns r where (r.operator_id, r.order_id) = ${order} and (
      r.status in ('requested', 'approved', 'in_transit', 'arrived', 'awaiting_review', 'decided')
      or r.resolved_at > ${since}::timestamptz))
    or exists (select from claims c where (c.operator_id, c.order_id) = ${order} and (
      c.state in ('open', 'sent') or c.settled_at > ${since}::timestamptz)))`
}

export async function videosOfOrder(db: Db, order_id: number, now: Date): Promise<PackingVideo[]> {
  const order = await db.selectFrom('orders').select('id').where('id', '=', order_id).executeTakeFirst()
  if (!order) throw notFound('order_not_found', 'Order not found')
  const rows = await db
    .selectFrom('packing_videos')
    .select(videoColumns)
    .select(hasOpenCase('packing_videos', now).as('case_open'))
    .where('order_id', '=', order_id)
    .orderBy('starts_at')
    .orderBy('id')
    .limit(mostVideos)
    .execute()
  if (rows.length === 0) return []
  const marks = await marksOf(db, order_id, [...new Set(rows.map(row => row.session_id))])
  const shares = await db
    .selectFrom('video_shares')
    .select(['id', 'video_id', 'expires_at', 'cut_at_label', 'views', 'created_by_name'])
    .where(
      'video_id',
      'in',
      rows.map(row => row.id),
    )
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .orderBy('id')
    .execute()
  return rows.map(({ company_id: _company, file_id: _file, session_id, ...row }) => ({
    ...row,
    order_overview_id: session_id,
    marks: marksIn(
      row,
      marks.filter(mark => mark.session_id === session_id),
    ),
    shares: shares.filter(share => share.video_id === row.id).map(({ video_id: _video, ...share }) => share),
  }))
}

/** Parts of all sessions of one order; an order of a few sessions has a few. */
const mostVideos = 200
const mostMarks = 2_000

export interface Mark extends Omit<VideoMark, 't_ms'> {
  session_id: number | null
  at: string
}

/** Scans of sessions and prints of their order, by time. They are read where they were written, and stored nowhere else. */
export async function marksOf(db: Db, order_id: number, session_ids: readonly number[]): Promise<Mark[]> {
  const { rows } = await sql<{
    session_id: number | null
    at: string
    kind: MarkKind
    text: string | null
    sku: string | null
    scan_id: string | null
  }>`
    select * from (
      select s.session_id, s.at, s.id::text as scan_id, l.sku,
        case when s.quantity > 0 then 'item' when s.quantity < 0 then 'removed' when s.serial is not null then 'serial'
          when s.result = any (${[...wrongResults]}::text[]) then 'wrong' else 'scan' end as kind,
        coalesce(case when s.quantity = 0 then s.raw end, l.name, s.raw) as text
      from packing_scans s left join order_lines l on l.operator_id = s.operator_id and l.id = s.order_line_id
      where s.operator_id = current_operator_id() and s.session_id = any (${session_ids}::bigint[])
      union all
      select null, p.created_at, null, null, case when p.document = 'label' then 'label' else 'print' end, p.title
      from print_jobs p where p.operator_id = current_operator_id() and p.order_id = ${order_id}
      union all
      select s.id, s.opened_at, null, null, 'opened', '' from packing_sessions s
      where s.operator_id = current_operator_id() and s.id = any (${session_ids}::bigint[])) m
    order by at limit ${mostMarks}`.execute(db)
  return rows.map(row => ({ ...row, text: row.text ?? '' }))
}

const wrongResults = ['wrong', 'wrong_shop', 'unknown', 'over', 'stopped', 'ambiguous', 'serial_refused', 'crate_refused', 'blocked_label']

/** The marks that lie within a clip. */
export function marksIn(
  { starts_at, ends_at, duration_ms }: { starts_at: string; ends_at: string | null; duration_ms: number | null },
  marks: readonly Mark[],
): VideoMark[] {
  const start = Date.parse(starts_at)
  const length = duration_ms ?? (ends_at === null ? Number.POSITIVE_INFINITY : Date.parse(ends_at) - start)
  return marks.flatMap(({ at, session_id: _session, ...mark }) => {
    const t_ms = Date.parse(at) - start
    return t_ms >= 0 && t_ms <= length ? [{ t_ms, ...mark }] : []
  })
}

interface Asked {
  offset: number
  limit: number
  /** Part of a person's name, or the beginning of an order number. */
  query: string
}

export async function heldPage(
  db: Db,
  { offset, limit, query }: Asked,
  now: Date,
): Promise<{ rows: HeldVideo[]; total: number; total_is_more: boolean }> {
  let held = db
    .selectFrom('packing_videos as v')
    .innerJoin('orders as o', 'o.id', 'v.order_id')
    .where('v.state', '=', 'available')
    .where('v.held_until', '>=', now.toISOString().slice(0, 10))
  if (query !== '')
    held = held.where(eb => eb.or([eb('o.order_no', 'like', beginning(query)), eb('v.held_by_name', 'ilike', containing(query))]))
  const rows = await held
    .select(['v.id', 'v.order_id', 'o.order_no', 'v.station', 'v.starts_at', 'v.bytes', 'v.held_until', 'v.held_by_name'])
    .select(['v.held_reason', 'v.delete_after'])
    .orderBy('v.held_until')
    .orderBy('v.id')
    .offset(offset)
    .limit(limit)
    .execute()
  return {
    rows: rows.map(({ held_until, held_by_name, held_reason, bytes, ...row }) => ({
      ...row,
      bytes: bytes ?? 0,
      held_until: held_until ?? '',
      held_by_name: held_by_name ?? '',
      held_reason: held_reason ?? '',
    })),
    ...(await cappedCount(db, held)),
  }
}

export async function viewsPage(
  db: Db,
  { offset, limit, query }: Asked,
): Promise<{ rows: VideoView[]; total: number; total_is_more: boolean }> {
  let views = db.selectFrom('video_views as w').innerJoin('orders as o', 'o.id', 'w.order_id')
  if (query !== '')
    views = views.where(eb => eb.or([eb('o.order_no', 'like', beginning(query)), eb('w.viewer_name', 'ilike', containing(query))]))
  return {
    rows: await views
      .select(['w.id', 'w.viewed_at', 'w.video_id', 'w.order_id', 'o.order_no', 'w.viewer_name'])
      .orderBy('w.id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
    ...(await cappedCount(db, views)),
  }
}

export interface StoredDays {
  clips: number
  held: number
  bytes: number
  open_bytes: number
  days: { day: string; clips: number; bytes: number; deleted: number }[]
}

export async function storedDays(db: Db, time_zone: string, now: Date): Promise<StoredDays> {
  const since = at(now, -30 * 86_400)
  const { rows: totals } = await sql<{ clips: number; held: number; bytes: number; open_bytes: number }>`
    select count(*) as clips, count(*) filter (where held_until is not null) as held, coalesce(sum(bytes), 0) as bytes,
      (select coalesce(sum(received_bytes), 0) from video_uploads where operator_id = current_operator_id() and finished_at is null) as open_bytes
    from packing_videos where operator_id = current_operator_id() and state = 'available'`.execute(db)
  const { rows: days } = await sql<{ day: string; clips: number; bytes: number; deleted: number }>`
    select day::text, sum(clips) as clips, sum(bytes) as bytes, sum(deleted) as deleted from (
      select (starts_at at time zone ${time_zone})::date as day, 1 as clips, coalesce(bytes, 0) as bytes, 0 as deleted
      from packing_videos where operator_id = current_operator_id() and starts_at > ${since}::timestamptz and duration_ms is not null
      union all
      select (deleted_at at time zone ${time_zone})::date, 0, 0, 1
      from packing_videos where operator_id = current_operator_id() and deleted_at > ${since}::timestamptz) d
    group by day order by day desc`.execute(db)
  const [total] = totals
  return {
    clips: Number(total?.clips ?? 0),
    held: Number(total?.held ?? 0),
    bytes: Number(total?.bytes ?? 0),
    open_bytes: Number(total?.open_bytes ?? 0),
    days: days.map(({ day, clips, bytes, deleted }) => ({ day, clips: Number(clips), bytes: Number(bytes), deleted: Number(deleted) })),
  }
}

/** Who packed in a session, as long as the user is there. */
export const packerOfSession = (db: Db, session_id: number): Promise<{ id: number; company_id: number } | undefined> =>
  db
    .selectFrom('packing_sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.id', 'u.company_id'])
    .where('s.id', '=', session_id)
    .where('u.removed_at', 'is', null)
    .executeTakeFirst()

/** What the packer learns of a clip that is held; nothing where it is not held any more. */
export const heldClip = (db: Db, id: number) =>
  db
    .selectFrom('packing_videos as v')
    .innerJoin('orders as o', 'o.id', 'v.order_id')
    .select(['v.starts_at', 'v.station', 'v.held_until', 'v.held_by_name', 'v.held_reason', 'o.order_no'])
    .where('v.id', '=', id)
    .where('v.held_until', 'is not', null)
    .executeTakeFirst()
