/** Schemas of the calls in packing-video.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale, Station, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { VersionRead, VideoSettings, versioned } from '#features/company/companies/companies.schemas.ts'
import { Hold } from '#features/packing/packing-photos/packing-photos.schemas.ts'
import { markKinds, mostShareHours, videoErrors, videoMediaTypes, videoStates } from './packing-video.codes.ts'

const id = z.number().int()
const Channel = text(40)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/i, 'A SHA-256 has 64 hexadecimal digits')

const RecorderChannel = z.strictObject({ station: Station, channel: Channel.min(1, 'Enter the channel') })

/** A camera belongs to one station, and is named once. */
const Channels = z
  .array(RecorderChannel)
  .max(100)
  .refine(all => new Set(all.map(one => one.channel)).size === all.length, 'Each channel belongs to one station')

const VersionedVideoSettings = versioned(VideoSettings)

export const Recorder = z.object({
  id,
  name: z.string(),
  /** The first characters, to distinguish keys. */
  prefix: z.string(),
  channels: z.array(z.object({ station: z.string(), channel: z.string() })),
  last_seen_at: z.string().nullable(),
  created_at: z.string(),
  created_by_name: z.string(),
  active: z.boolean(),
})
export type Recorder = z.infer<typeof Recorder>

const NewRecorder = z.strictObject({ name: text(limits.name).min(1, 'Enter a name'), channels: Channels.default([]) })

const VideoUpload = z.object({ upload_id: id, offset: id, chunk_bytes: id })

const CreatedVideo = z.object({
  video_id: id,
  state: z.enum(videoStates),
  /** Where the clip is sent to; null while none is announced, and once it has arrived. */
  upload: VideoUpload.nullable(),
})
export type CreatedVideo = z.infer<typeof CreatedVideo>

const VideoMark = z.object({
  /** Milliseconds from the start of the clip. */
  t_ms: id,
  kind: z.enum(markKinds),
  text: z.string(),
  sku: z.string().nullable(),
  scan_id: z.string().nullable(),
})
export type VideoMark = z.infer<typeof VideoMark>

const VideoShare = z.object({
  id,
  expires_at: z.string(),
  cut_at_label: z.boolean(),
  views: id,
  created_by_name: z.string(),
})

export const PackingVideo = z.object({
  id,
  order_id: id,
  /** The packing session, as `packing/check_tracking_and_trace` names it. */
  order_overview_id: id,
  station: z.string(),
  channel: z.string(),
  source: z.enum(['station', 'recorder']),
  part_no: id,
  state: z.enum(videoStates),
  starts_at: z.string(),
  ends_at: z.string().nullable(),
  duration_ms: id.nullable(),
  bytes: id.nullable(),
  media_type: z.string().nullable(),
  /** A player cannot seek exactly. */
  coarse: z.boolean(),
  error: z.enum(videoErrors).nullable(),
  held_until: z.string().nullable(),
  held_by_name: z.string().nullable(),
  held_reason: z.string().nullable(),
  /** Kept while its order has an open return or claim, and 30 days after. */
  case_open: z.boolean(),
  delete_after: z.string(),
  deleted_at: z.string().nullable(),
  /** Scans and prints of the session during the clip, by time. */
  marks: z.array(VideoMark),
  /** Links that still open it. */
  shares: z.array(VideoShare),
})
export type PackingVideo = z.infer<typeof PackingVideo>

const UploadState = z.object({ offset: id, state: z.enum(videoStates) })

const SharedClip = z.object({
  video_id: id,
  /** False while the cut clip is being made. */
  ready: z.boolean(),
  duration_ms: id,
  starts_at: z.string(),
  expires_at: z.string(),
  marks: z.array(z.object({ t_ms: id, kind: z.enum(markKinds) })),
})

const DayOfVideos = z.object({ day: z.string(), clips: id, bytes: id, deleted: id })
const VideoStorage = z.object({
  used_bytes: id,
  limit_bytes: id,
  clips: id,
  held: id,
  /** Of uploads that are not finished. */
  open_bytes: id,
  disk_bytes: id,
  disk_free_bytes: id,
  /** The last 30 days, newest first. */
  days: z.array(DayOfVideos),
})

const VideoView = z.object({
  id,
  viewed_at: z.string(),
  video_id: id,
  order_id: id,
  order_no: z.string(),
  /** Null where a shared link was used. */
  viewer_name: z.string().nullable(),
})
export type VideoView = z.infer<typeof VideoView>

const HeldVideo = z.object({
  id,
  order_id: id,
  order_no: z.string(),
  station: z.string(),
  starts_at: z.string(),
  bytes: id,
  held_until: z.string(),
  held_by_name: z.string(),
  held_reason: z.string(),
  /** Deleted on the day after which the hold ends, or on this one where it is later. */
  delete_after: z.string(),
})
export type HeldVideo = z.infer<typeof HeldVideo>

const NewShare = z.strictObject({
  hours: z.number().int().min(1, 'At least one hour').max(mostShareHours, 'At most 168 hours').default(24),
  /** The label shows an address: the clip ends before it is printed. */
  cut_at_label: z.boolean().default(true),
})

export const packingVideoSchemas = {
  components: { Recorder, PackingVideo, VideoMark, VideoSettings: VersionedVideoSettings, VideoStorage, VideoView, HeldVideo, SharedClip },
  calls: {
    recorders: {
      reply: z.object({ keys: z.array(Recorder) }),
      summary: 'The keys of video recorders; the key of a recorder reads itself alone.',
    },
    addRecorder: {
      body: NewRecorder,
      /** Contains the key, which is shown only in this answer. */
      reply: z.object({ key: z.string(), row: Recorder }),
      example: { body: { name: 'rack', channels: [{ station: 'S1', channel: '101' }] } },
      summary: 'Makes the key of a recorder for the cameras of stations. The answer shows it once; two may be active.',
    },
    changeRecorder: {
      body: NewRecorder,
      reply: Recorder,
      summary: 'Renames a recorder and says which of its channels films which station.',
    },
    revokeRecorder: {
      query: z.object({ id: z.coerce.number<unknown>().int().positive().optional() }),
      summary: 'Revokes the key of a recorder: its uploads stop at once. `id` may be left out where one key is active.',
    },
    requests: {
      reply: z.object({
        rows: z.array(
          z.object({ order_overview_id: id, station: z.string(), channel: z.string(), starts_at: z.string(), ends_at: z.string() }),
        ),
      }),
      summary: 'Sessions at the stations of this recorder whose clips it has not delivered, by time window; at most 100, oldest first.',
    },
    create: {
      body: z.strictObject({
        /** The recorder's camera; left out for the station's own. */
        channel: Channel.default(''),
        part_no: z.number().int().min(1).max(99).default(1),
        /** Names a recording of the station's own camera, which then gets the next part of its session. */
        client_id: z.uuid().optional(),
        starts_at: z.iso.datetime({ offset: true }).optional(),
        ends_at: z.iso.datetime({ offset: true }).optional(),
        /** Milliseconds since the recording began, where the sender's clock may be wrong. */
        age_ms: z.number().int().min(0).max(7_200_000).optional(),
        /** Announces the clip: the answer says where it is sent to. */
        media_type: z.enum(videoMediaTypes).optional(),
      }),
      reply: CreatedVideo,
      example: { order_overview_id: 1, body: { channel: '101', media_type: 'video/mp4' } },
      summary:
        'Begins the clip of a packing session: from 5 seconds before it was opened to 20 seconds after its end, unless times are given.',
    },
    upload: {
      params: { offset: z.coerce.number<unknown>().int().min(0).max(Number.MAX_SAFE_INTEGER) },
      summary:
        'Sends the next bytes of a clip, at most 4 MiB, with their SHA-256 in `x-chunk-sha256`. The header `upload-offset` of the answer says how much is stored.',
    },
    uploadState: {
      reply: UploadState,
      summary: 'How much of a clip is stored, to go on after an interruption.',
    },
    finish: {
      body: z.strictObject({ bytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER), sha256: Sha256.optional() }),
      reply: z.object({ video_id: id, state: z.enum(videoStates) }),
      summary: 'Ends the upload of a clip, which is then checked, freed of sound and made seekable.',
    },
    list: {
      reply: z.object({ rows: z.array(PackingVideo) }),
      summary: 'The clips of an order with a mark at every scan and print.',
    },
    get: { summary: 'A clip, whole or by range.' },
    ticket: {
      reply: z.object({ seconds: id }),
      summary: 'Sets a cookie that opens this one clip for ten minutes, for players that send no header.',
    },
    hold: {
      body: Hold,
      summary: 'Keeps a clip beyond its time, until a day at most a year away, and says why.',
    },
    release: { summary: 'Ends the hold of a clip.' },
    share: {
      body: NewShare,
      reply: z.object({ id, url: z.string(), expires_at: z.string() }),
      summary: 'Makes a link by which a person without a login sees this one clip. The answer shows it once.',
    },
    revokeShare: { summary: 'Ends a shared link before its time.' },
    shared: {
      body: z.strictObject({ token: z.string().max(100) }),
      reply: SharedClip,
      summary: 'What a shared link opens, and a cookie for the clip.',
    },
    settings: {
      reply: VersionedVideoSettings,
      summary: 'Whether packing is filmed, how long clips are kept, and how much they may take.',
    },
    setSettings: {
      body: z.strictObject({ ...VideoSettings.shape, version: VersionRead }),
      reply: VersionedVideoSettings,
      summary: 'Sets what is filmed and how long it is kept. 409 with the present settings when the version is old.',
    },
    station: {
      reply: z.object({
        enabled: z.boolean(),
        quality: VideoSettings.shape.quality.unwrap(),
        /** The notice to staff, by language: the company's own, else the product's. */
        notices: z.record(Locale, z.string()),
      }),
      summary: 'What a station needs to film with its own camera.',
    },
    storage: {
      reply: VideoStorage,
      summary: 'How much the clips take, of how much they may, and what came and went by day.',
    },
    notices: {
      reply: z.object({ standard: z.record(Locale, z.string()) }),
      summary: 'The notices to staff that are shown where the company has written none, by language.',
    },
    held: {
      query: pageQuery.extend({ query: text(limits.name).default('') }),
      reply: page(HeldVideo),
      summary: 'Clips that are kept beyond their time, with who holds them and why, the first to end first.',
    },
    views: {
      query: pageQuery.extend({ query: text(limits.name).default('') }),
      reply: page(VideoView),
      summary: 'Who saw which clip, newest first.',
    },
  },
} satisfies ContractSchemas
