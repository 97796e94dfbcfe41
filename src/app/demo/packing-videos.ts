/** Clips of the demo: boxes drawn as they fill, one picture at each scan, as the stations' cameras would have filmed them in the last weeks. */
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny'
import sharp from 'sharp'
import { elementAt } from '#domain/objects.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFiles } from '#platform/files/file-store.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { insertAll } from './past.ts'

const day_ms = 86_400_000
const [width, height] = [640, 360]
const colours = ['#a4503c', '#a9c7d4', '#7d8f57', '#d9a441', '#5d6d8c', '#c9b8a0'] as const
/** Sessions of the last days whose clip is kept, the longest of them, their fewest pieces, and how many of each company. */
const [days, longest_ms, fewest, each] = [25, 75_000, 3, 4]

interface FilmedSession {
  id: number
  company_id: number
  order_id: number
  station: string
  opened_at: string
  ended_at: string
  /** Milliseconds after the beginning of the clip at which pieces were counted. */
  counted: number[]
}

/** The camera begins a moment before the order is open, and ends a moment after. */
const [before_ms, after_ms] = [1_000, 3_000]

export async function buildPackingVideos(
  services: Services,
  scope: TenantScope,
  { lead }: { lead: { id: number; name: string } },
): Promise<void> {
  const now = services.now().getTime()
  const since = new Date(now - days * day_ms).toISOString()
  const sessions = await services.database.transaction(scope, db => filmedSessions(db, since))
  const clips = await Promise.all(
    sessions.map(async session => {
      const starts = Date.parse(session.opened_at) - before_ms
      const duration_ms = Date.parse(session.ended_at) + after_ms - starts
      const film = await filmOf(session, duration_ms)
      return { ...session, starts, duration_ms, content: await services.files.put(scope.operator_id, film) }
    }),
  )
  await services.database.transaction(scope, async db => {
    const files = await recordFiles(
      db,
      clips.map(({ content, company_id, order_id, id }) => ({
        content,
        about: { company_id, order_id, media_type: 'video/webm', name: `video-${id}` },
      })),
    )
    const rows = clips.map(({ id, company_id, order_id, station, starts, duration_ms, content }, place) => ({
      ...{ company_id, order_id, session_id: id, station, part_no: 1, source: 'station' as const, media_type: 'video/webm' },
      ...{ state: 'available' as const, duration_ms, bytes: content.bytes, file_id: elementAt(files, place) },
      ...{ starts_at: at(starts), ends_at: at(starts + duration_ms), created_at: at(starts), delete_after: at(starts + 30 * day_ms) },
      ...(place === 0 && {
        held_until: at(now + 60 * day_ms).slice(0, 10),
        held_by_name: lead.name,
        held_reason: 'The customer reports a missing piece',
      }),
    }))
    await insertAll(db, 'packing_videos', rows)
    const stored = await db.selectFrom('packing_videos').select(['id', 'company_id', 'order_id', 'starts_at']).orderBy('id').execute()
    const [seen, shared] = stored
    if (!seen || !shared) return
    await db
      .insertInto('video_shares')
      .values({
        ...{ company_id: shared.company_id, video_id: shared.id, token_hash: hashToken(newToken()), cut_at_label: false },
        ...{ expires_at: at(now + 5 * day_ms), views: 2, created_by_name: lead.name, created_at: at(now - 2 * day_ms) },
      })
      .execute()
    await insertAll(
      db,
      'video_views',
      [seen, shared].map((video, place) => ({
        ...{ company_id: video.company_id, video_id: video.id, order_id: video.order_id, user_id: lead.id, viewer_name: lead.name },
        viewed_at: at(now - (2 + place) * day_ms),
      })),
    )
  })
}

const at = (ms: number): string => new Date(ms).toISOString()

async function filmedSessions(db: Db, since: string): Promise<FilmedSession[]> {
  const sessions = await db
    .selectFrom('packing_sessions')
    .select(['id', 'company_id', 'order_id', 'station', 'opened_at', 'ended_at'])
    .where('state', '=', 'done')
    .where('opened_at', '>', since)
    .orderBy('id', 'desc')
    .execute()
  const short = sessions.flatMap(session =>
    session.ended_at !== null && Date.parse(session.ended_at) - Date.parse(session.opened_at) < longest_ms
      ? [{ ...session, ended_at: session.ended_at }]
      : [],
  )
  const scans = await db
    .selectFrom('packing_scans')
    .select(['session_id', 'at'])
    .where(
      'session_id',
      'in',
      short.map(({ id }) => id),
    )
    .where('quantity', '>', 0)
    .orderBy('at')
    .execute()
  const scansOf = Map.groupBy(scans, scan => scan.session_id)
  const worthSeeing = short.flatMap(session => {
    const counted = (scansOf.get(session.id) ?? []).map(scan => Date.parse(scan.at) - Date.parse(session.opened_at) + before_ms)
    return counted.length >= fewest ? [{ ...session, counted }] : []
  })
  return [...Map.groupBy(worthSeeing, session => session.company_id).values()].flatMap(some => some.slice(0, each))
}

/** A picture at each second, so that a player finds every place, one as each piece lies in the box, and one at the end. */
async function filmOf({ counted, station }: FilmedSession, duration_ms: number): Promise<Buffer> {
  const pictures = await Promise.all(Array.from({ length: counted.length + 1 }, (_, pieces) => keyFrame(station, pieces)))
  const target = new BufferTarget()
  const output = new Output({ format: new WebMOutputFormat({ minimumClusterDuration: 2 }), target })
  const source = new EncodedVideoPacketSource('vp8')
  output.addVideoTrack(source)
  await output.start()
  const seconds = Array.from({ length: Math.ceil(duration_ms / 1_000) }, (_, second) => second * 1_000)
  const times = [...new Set([...seconds, ...counted, duration_ms])].toSorted((a, b) => a - b)
  for (const [place, time] of times.entries()) {
    const pieces = counted.filter(one => one <= time).length
    const length = (times[place + 1] ?? time) - time
    await source.add(new EncodedPacket(elementAt(pictures, pieces), 'key', time / 1_000, length / 1_000), {
      decoderConfig: { codec: 'vp8', codedWidth: width, codedHeight: height },
    })
  }
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer())
}

/** A lossy WebP is a key frame of VP8 behind a header of its own. */
async function keyFrame(station: string, pieces: number): Promise<Uint8Array> {
  const webp = await sharp(Buffer.from(drawn(station, pieces)))
    .flatten()
    .webp({ quality: 40, effort: 2 })
    .toBuffer()
  const begins = webp.indexOf('VP8 ')
  if (begins < 0) throw new Error('The picture is no lossy WebP')
  return webp.subarray(begins + 8, begins + 8 + webp.readUInt32LE(begins + 4))
}

/** The open box from above, with so many pieces in it. */
function drawn(station: string, pieces: number): string {
  const shown = Array.from({ length: Math.min(pieces, 12) }, (_, piece) => {
    const colour = elementAt(colours, piece % colours.length)
    return `<rect x="${168 + (piece % 4) * 78}" y="${100 + Math.floor(piece / 4) * 58}" width="68" height="48" rx="6" fill="${colour}" stroke="#23272b" stroke-width="3"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="640" height="360" fill="#8d939a"/><path fill="#b98a5a" stroke="#23272b" stroke-width="4" d="M140 70h360v220H140z"/><path fill="#d6ae7e" stroke="#23272b" stroke-width="4" d="M140 70 90 30h460l-50 40zM140 290l-50 40h460l-50-40z"/><path fill="#a3764a" d="M154 84h332v192H154z"/>${shown.join('')}<text x="16" y="350" font-family="sans-serif" font-size="18" fill="#23272b">${station} · ${pieces}</text></svg>`
}
