/** Worker thread that checks a clip and writes it anew: the picture alone, with what a player needs to seek. Packets are copied, never decoded. */
import { open } from 'node:fs/promises'
import {
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { answerTask } from '#platform/threads/worker-thread.ts'
import { mostSeconds, type VideoError } from './packing-video.codes.ts'

export interface FinalizeTask {
  from: string
  to: string
  /** What lies after it is left out. */
  until_ms: number | null
}

export type Finalized = { error: VideoError } | { media_type: 'video/webm' | 'video/mp4'; duration_ms: number; coarse: boolean }

/** Seconds without a key frame after which seeking is too rough to trust. */
const longestGap = 10

await answerTask<FinalizeTask, Finalized>(async task => ({ answer: await finalize(task) }))

async function finalize({ from, to, until_ms }: FinalizeTask): Promise<Finalized> {
  const kind = await kindOf(from)
  if (!kind) return { error: 'not_video' }
  const input = new Input({ source: new FilePathSource(from, { maxCacheSize: 4_000_000 }), formats: [kind === 'webm' ? WEBM : MP4] })
  try {
    const tracks = await input.getVideoTracks().catch(() => null)
    if (!tracks) return { error: 'damaged' }
    const [track, ...others] = tracks
    if (!track) return { error: 'no_picture' }
    if (others.length > 0) return { error: 'several_pictures' }
    return await copyPicture(track, kind, to, until_ms)
  } finally {
    input.dispose()
  }
}

async function copyPicture(track: InputVideoTrack, kind: 'webm' | 'mp4', to: string, until_ms: number | null): Promise<Finalized> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  const format = kind === 'webm' ? new WebMOutputFormat({ minimumClusterDuration: 2 }) : new Mp4OutputFormat({ fastStart: 'reserve' })
  if (!codec || !decoderConfig || !format.getSupportedVideoCodecs().includes(codec)) return { error: 'codec' }
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstKeyPacket()
  if (!first) return { error: 'no_picture' }
  const end = until_ms === null ? Number.POSITIVE_INFINITY : until_ms / 1_000
  // Packets are counted first: the index of an MP4 stands before them.
  let count = 0
  for await (const packet of sink.packets(first, undefined, { metadataOnly: true }))
    if (packet.timestamp - first.timestamp < end) {
      if (packet.timestamp - first.timestamp > mostSeconds) return { error: 'too_long' }
      count++
    }
  const output = new Output({ format, target: new FilePathTarget(to) })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { rotation: await track.getRotation(), maximumPacketCount: count })
  await output.start()
  let duration = 0
  let before = 0
  let length = 0
  let lastKey = 0
  let gap = 0
  for await (const packet of sink.packets(first)) {
    const timestamp = packet.timestamp - first.timestamp
    if (timestamp >= end) continue
    if (packet.type === 'key') {
      gap = Math.max(gap, timestamp - lastKey)
      lastKey = timestamp
    }
    // The last picture of a live recording has no length: it is taken for as long as the one before.
    length = packet.duration || timestamp - before || length
    before = timestamp
    duration = Math.max(duration, timestamp + length)
    await source.add(packet.clone({ timestamp: Math.max(0, timestamp) }), { decoderConfig })
  }
  await output.finalize()
  return {
    media_type: kind === 'webm' ? 'video/webm' : 'video/mp4',
    duration_ms: Math.round(duration * 1_000),
    coarse: Math.max(gap, duration - lastKey) > longestGap,
  }
}

/** By the first bytes, whatever the sender says: EBML, or the file type box of MP4. */
async function kindOf(path: string): Promise<'webm' | 'mp4' | null> {
  const handle = await open(path, 'r')
  try {
    const start = Buffer.alloc(12)
    const { bytesRead } = await handle.read(start, 0, 12, 0)
    if (bytesRead < 12) return null
    if (start.readUInt32BE(0) === 0x1a45dfa3) return 'webm'
    return start.toString('latin1', 4, 8) === 'ftyp' ? 'mp4' : null
  } finally {
    await handle.close()
  }
}
