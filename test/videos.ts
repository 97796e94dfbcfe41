/** Clips for tests, made packet by packet: their pictures are made up, since nothing on the server decodes them. */
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

interface ClipPlan {
  seconds?: number
  picturesPerSecond?: number
  /** Seconds between key frames. */
  keyEvery?: number
  pictureBytes?: number
  tracks?: number
  sound?: boolean
  format?: 'webm' | 'mp4'
}

/** A clip as browsers record it while it is live: without duration and index. */
export async function liveClip(plan: ClipPlan = {}): Promise<Buffer> {
  const { seconds = 4, picturesPerSecond = 10, keyEvery = 1, pictureBytes = 400, tracks = 1, sound = false, format = 'webm' } = plan
  const target = new BufferTarget()
  const output = new Output({
    format: format === 'webm' ? new WebMOutputFormat({ appendOnly: true }) : new Mp4OutputFormat({ fastStart: 'fragmented' }),
    target,
  })
  const pictures = Array.from({ length: tracks }, () => new EncodedVideoPacketSource('vp8'))
  for (const source of pictures) output.addVideoTrack(source)
  const audio = new EncodedAudioPacketSource('opus')
  if (sound) output.addAudioTrack(audio)
  await output.start()
  const decoderConfig = { codec: 'vp8', codedWidth: 640, codedHeight: 360 }
  for (let i = 0; i < seconds * picturesPerSecond; i++) {
    const timestamp = i / picturesPerSecond
    const isKey = i % Math.max(1, Math.round(keyEvery * picturesPerSecond)) === 0
    for (const source of pictures)
      await source.add(
        new EncodedPacket(new Uint8Array(pictureBytes).fill(i % 250), isKey ? 'key' : 'delta', timestamp, 1 / picturesPerSecond),
        { decoderConfig },
      )
    if (sound)
      await audio.add(new EncodedPacket(new Uint8Array(80).fill(0x51), 'key', timestamp, 1 / picturesPerSecond), {
        decoderConfig: { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000 },
      })
  }
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer())
}
