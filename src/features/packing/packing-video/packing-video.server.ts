/** Packing video: keys of recorders, clips that arrive, who sees them, and how long they stay. */
import { statfs } from 'node:fs/promises'
import { AppError, conflict, notFound, orNotFound, unauthorized, unprocessable } from '#contract/errors.ts'
import { type Locale, locales } from '#contract/limits.ts'
import { pageOffset } from '#contract/page.ts'
import { changeSettingGroup } from '#features/company/companies/companies.commands.ts'
import { mainCompanySettings, settingGroup } from '#features/company/companies/companies.queries.ts'
import { checkHoldDay } from '#features/packing/packing-photos/hold.rules.ts'
import { changeRecorderKey, insertRecorderKey, revokeRecorderKey } from '#platform/auth/recorder-key-store.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { giveTicket, ticketSeconds } from '#platform/http/tickets.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { mostKeys, mostSeconds } from './packing-video.codes.ts'
import {
  countShareView,
  finishUpload,
  holdVideo,
  insertShare,
  noteView,
  openVideo,
  releaseVideo,
  revokeShare,
  storedClip,
} from './packing-video.commands.ts'
import { packingVideo } from './packing-video.contract.ts'
import {
  at,
  heldPage,
  lockUpload,
  marksIn,
  marksOf,
  recorderById,
  recordersOf,
  requestedWindows,
  secondsAfter,
  secondsBefore,
  storedDays,
  videoById,
  videosOfOrder,
  viewsPage,
} from './packing-video.queries.ts'
import { packingVideoSchemas } from './packing-video.schemas.ts'
import { mustHaveSpace, receiveChunk, stateOfUpload } from './video-uploads.server.ts'

const recorderNotFound = () => notFound('recorder_not_found', 'Recorder not found')
/** The same for a link that never was, has ended and was revoked: none tells more than the others. */
const linkNotFound = () => notFound('share_not_found', 'This link does not exist any more')
const ticketPath = (company: string, video_id: number): string => `/api/${company}/dvr/video/${video_id}`

export const packingVideoServer = implement(packingVideo, packingVideoSchemas, {
  recorders: async (_, { db, principal }) => ({
    keys: await recordersOf(db, principal.kind === 'recorder' ? principal.key_id : undefined),
  }),

  async addRecorder({ body }, { db, principal, now, recordEvent, notify }) {
    // Two people who add one at the same time must not make three.
    await db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()
    if ((await recordersOf(db)).length >= mostKeys) throw conflict('two_keys', 'Two keys are active already: revoke one first')
    const { id, key } = await insertRecorderKey(db, { ...body, created_by_name: principal.name, at: now() })
    await recordEvent({ kind: 'recorder_key.created', subject: 'recorder_key', subject_id: id, data: { name: body.name } })
    notify('video')
    return { key, row: await recorderById(db, id) }
  },

  async changeRecorder({ id, body }, { db, recordEvent, notify }) {
    if (!(await changeRecorderKey(db, id, body))) throw recorderNotFound()
    await recordEvent({ kind: 'recorder_key.changed', subject: 'recorder_key', subject_id: id, data: { name: body.name } })
    notify('video')
    return recorderById(db, id)
  },

  async revokeRecorder({ id }, { db, now, recordEvent, notify }) {
    const keys = await recordersOf(db)
    if (id === undefined && keys.length > 1) throw unprocessable('id_missing', 'Two keys are active: say which one is revoked')
    const key = id === undefined ? keys[0] : keys.find(one => one.id === id)
    if (!key || !(await revokeRecorderKey(db, key.id, now()))) throw recorderNotFound()
    await recordEvent({ kind: 'recorder_key.revoked', subject: 'recorder_key', subject_id: key.id, data: { name: key.name } })
    notify('video')
    // Servers remember keys for a moment.
    notify('people')
  },

  async requests(_, { db, services, principal, now }) {
    const { video } = await mainCompanySettings(services.database, principal.company.operator_id)
    return { rows: video.enabled ? await requestedWindows(db, principal.key_id, now()) : [] }
  },

  async create({ order_overview_id, body }, context) {
    const { db, services, principal, now } = context
    const { video } = await mainCompanySettings(services.database, principal.company.operator_id)
    if (!video.enabled) throw conflict('video_off', 'Packing video is switched off')
    const session = await db
      .selectFrom('packing_sessions')
      .select(['id', 'company_id', 'order_id', 'station', 'opened_at', 'ended_at'])
      .where('id', '=', order_overview_id)
      .executeTakeFirst()
    if (!session || !(await mayFilm(context, session.station, body.channel))) throw notFound('video_not_found', 'Video not found')
    const isRecorder = principal.kind === 'recorder'
    const began = body.age_ms === undefined ? undefined : at(now(), -body.age_ms / 1_000)
    const starts_at = body.starts_at ?? began ?? (isRecorder ? at(new Date(session.opened_at), -secondsBefore) : now().toISOString())
    const ends_at = body.ends_at ?? (isRecorder ? at(session.ended_at ? new Date(session.ended_at) : now(), secondsAfter) : null)
    const seconds = ends_at === null ? 0 : (Date.parse(ends_at) - Date.parse(starts_at)) / 1_000
    if (seconds < 0 || seconds > mostSeconds)
      throw unprocessable('video_window', 'A video is two hours long at most, and ends after it starts')
    await mustHaveSpace(services, principal.company.operator_id, context)
    return openVideo(context, {
      company_id: session.company_id,
      order_id: session.order_id,
      session_id: session.id,
      station: session.station,
      channel: isRecorder ? body.channel : '',
      part_no: body.part_no,
      client_id: isRecorder ? null : (body.client_id ?? null),
      source: isRecorder ? 'recorder' : 'station',
      recorder_key_id: isRecorder ? principal.key_id : null,
      starts_at: new Date(starts_at).toISOString(),
      ends_at: ends_at && new Date(ends_at).toISOString(),
      media_type: body.media_type,
    })
  },

  upload: receiveChunk,
  uploadState: stateOfUpload,

  async finish({ id, body }, context) {
    const row = await lockUpload(context.db, id, context.principal)
    if (body.bytes !== row.received_bytes)
      throw conflict(
        'upload_short',
        '{{stored}} of {{bytes}} bytes are stored',
        { stored: row.received_bytes, bytes: body.bytes },
        { current: { offset: row.received_bytes } },
      )
    if (row.finished_at !== null) return { video_id: row.video_id, state: row.state }
    await finishUpload(context, row, body.sha256 ?? null)
    return { video_id: row.video_id, state: 'processing' as const }
  },

  list: async ({ id }, { db, now }) => ({ rows: await videosOfOrder(db, id, now()) }),

  async get({ id }, { transaction, principal, now }) {
    return transaction(async context => {
      const { db } = context
      const share_id = principal.kind === 'visitor' ? principal.key_id : null
      const share = share_id === null ? null : await liveShare(context, share_id)
      if (share && share.video_id !== id) throw unauthorized('not_signed_in', 'Your session has ended. Sign in again.')
      const video = await videoById(db, id)
      if (video.state === 'expired')
        throw new AppError(410, 'video_expired', 'This video was deleted on {{date}}.', {
          date: (video.deleted_at ?? now().toISOString()).slice(0, 10),
        })
      const stored = await storedClip(db, share && share.cut_ms !== null ? share.file_id : video.file_id)
      if (video.state !== 'available' || !stored) throw conflict('video_not_ready', 'This video is not ready yet')
      await noteView(context, video, share_id)
      const { sha256, bytes, media_type } = stored
      return { bytes: { sha256, bytes }, media_type, name: `video-${id}.${media_type === 'video/mp4' ? 'mp4' : 'webm'}`, inline: true }
    })
  },

  async ticket({ id }, context) {
    await videoById(context.db, id)
    giveTicket(context, ticketPath(context.principal.company.code, id), { kind: 'session', id: context.principal.session_id })
    return { seconds: ticketSeconds }
  },

  async hold({ id, body }, context) {
    checkHoldDay(body.until, context.now())
    const video = await videoById(context.db, id)
    if (video.state === 'expired' || video.state === 'failed') throw conflict('video_not_ready', 'This video is not ready yet')
    await holdVideo(context, id, body)
  },
  release: ({ id }, context) => releaseVideo(context, id),

  async share({ id, body }, context) {
    const { db, now, services, enqueue } = context
    const video = await videoById(db, id)
    if (video.state !== 'available') throw conflict('video_not_ready', 'This video is not ready yet')
    const token = newToken()
    const marks = body.cut_at_label ? marksIn(video, await marksOf(db, video.order_id, [video.session_id])) : []
    const cut_ms = marks.find(mark => mark.kind === 'label')?.t_ms ?? null
    const expires_at = at(now(), body.hours * 3_600)
    const share_id = await insertShare(context, video, { token, expires_at, cut_at_label: body.cut_at_label, cut_ms })
    if (cut_ms !== null) await enqueue('video.cut', { share_id })
    const { code } = await db.selectFrom('companies').select('code').where('id', '=', video.company_id).executeTakeFirstOrThrow()
    // In the fragment, which no server and no log sees.
    return { id: share_id, url: `${publicUrl(services, code)}/clip#${token}`, expires_at }
  },
  revokeShare: ({ id }, context) => revokeShare(context, id),

  async shared({ body }, context) {
    const { db, principal, now } = context
    const found = await db.selectFrom('video_shares').select('id').where('token_hash', '=', hashToken(body.token)).executeTakeFirst()
    const share = await liveShare(context, found?.id ?? 0)
    const video = await videoById(db, share.video_id)
    if (video.state !== 'available') throw linkNotFound()
    await countShareView(db, share.id)
    context.notify('video', video.order_id, video.company_id)
    giveTicket({ ...context, now }, ticketPath(principal.company.code, video.id), { kind: 'share', id: share.id })
    const duration_ms = Math.min(video.duration_ms ?? 0, share.cut_ms ?? Number.POSITIVE_INFINITY)
    const marks = marksIn({ ...video, duration_ms }, await marksOf(db, video.order_id, [video.session_id]))
    return {
      video_id: video.id,
      ready: share.cut_ms === null || share.file_id !== null,
      duration_ms,
      starts_at: video.starts_at,
      expires_at: share.expires_at,
      marks: marks.map(({ t_ms, kind }) => ({ t_ms, kind })),
    }
  },

  async settings(_, { db, services, principal }) {
    const { id, is_main, operator_id } = principal.company
    if (is_main) return settingGroup(db, id, 'video')
    // A shop reads what the warehouse has set, and cannot save it.
    return { ...(await mainCompanySettings(services.database, operator_id)).video, version: 0 }
  },

  async setSettings({ body }, { db, principal, recordEvent, notify, now }) {
    const video = await changeSettingGroup(db, principal.company.id, 'video', body, { name: principal.name, at: now() })
    const { enabled, retention_days } = video
    await recordEvent({
      kind: 'video_settings.set',
      subject: 'company',
      subject_id: principal.company.id,
      data: { enabled, retention_days },
    })
    notify('company')
    notify('video')
    return video
  },

  async station(_, { services, principal }) {
    const { video } = await mainCompanySettings(services.database, principal.company.operator_id)
    return { enabled: video.enabled, quality: video.quality, notices: { ...(await standardNotices()), ...writtenIn(video.notices) } }
  },

  notices: async () => ({ standard: await standardNotices() }),

  async held(question, { db, now }) {
    const offset = pageOffset(question)
    return { ...(await heldPage(db, { ...question, offset }, now())), offset, limit: question.limit }
  },

  async storage(_, { db, services, principal, now }) {
    const { video, time_zone } = await mainCompanySettings(services.database, principal.company.operator_id)
    const { bytes, ...report } = await storedDays(db, time_zone, now())
    const { bsize, blocks, bavail } = await statfs(services.config.data_dir)
    return {
      ...report,
      used_bytes: bytes,
      limit_bytes: video.storage_gb * 1e9,
      disk_bytes: bsize * blocks,
      disk_free_bytes: bsize * bavail,
    }
  },

  async views(question, { db }) {
    const offset = pageOffset(question)
    return { ...(await viewsPage(db, { ...question, offset })), offset, limit: question.limit }
  },
})

const notice =
  'Packing at this station is filmed, picture only and without sound. The video shows what went into a parcel, so that claims can be answered. It is deleted after the time that the company has set, unless a claim needs it.'

async function standardNotices(): Promise<Record<Locale, string>> {
  const [en_GB, da_DK, de_DE, no_NO, sv_SE] = await Promise.all(locales.map(async locale => (await translatorFor(locale))(notice)))
  return { en_GB: en_GB ?? notice, da_DK: da_DK ?? notice, de_DE: de_DE ?? notice, no_NO: no_NO ?? notice, sv_SE: sv_SE ?? notice }
}

/** Without those that are left empty. */
const writtenIn = (notices: Partial<Record<Locale, string>>): Partial<Record<Locale, string>> =>
  Object.fromEntries(Object.entries(notices).filter(([, text]) => text.trim() !== ''))

/** A recorder films the stations of its channels, and a station itself. */
async function mayFilm({ db, principal }: Context, station: string, channel: string): Promise<boolean> {
  if (principal.kind !== 'recorder') return channel === ''
  const { channels } = await recorderById(db, principal.key_id)
  return channels.some(one => one.station === station && one.channel === channel)
}

async function liveShare({ db, now }: Pick<Context, 'db' | 'now'>, id: number) {
  const share = await db
    .selectFrom('video_shares')
    .select(['id', 'video_id', 'expires_at', 'cut_ms', 'file_id'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now().toISOString())
    .executeTakeFirst()
  return orNotFound(share, 'share_not_found', 'This link does not exist any more')
}
