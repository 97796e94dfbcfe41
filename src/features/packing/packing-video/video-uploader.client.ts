/** Sends recordings piece by piece, the oldest first, and goes on where the server says it stopped. */

import { retryDelay, retryOf } from '#ui/offline/retry.rules.ts'
import { CallError } from '#ui/query/call-error.ts'
import type { send as sendCall } from '#ui/query/calls.ts'
import { chunkBytes, mostChunkBytes } from './packing-video.codes.ts'
import { packingVideo } from './packing-video.contract.ts'

export interface Recording {
  id: string
  session_id: number
  media_type: 'video/webm' | 'video/mp4'
  /** Milliseconds since 1970, by this device's clock. */
  began_at: number
  bytes: number
  /** Nothing more comes: the recorder stopped, or the page was left. */
  ended: boolean
  upload_id: number | null
  /** Bytes that the server has. */
  sent: number
}

export interface Piece {
  /** The recording and the offset in it, so that keys sort as they were filmed. */
  key: string
  data: Blob
}

export interface VideoStore {
  recordings: () => Promise<Recording[]>
  pieceKeys: () => Promise<string[]>
  piece: (key: string) => Promise<Piece | undefined>
  saveRecording: (recording: Recording) => Promise<void>
  savePiece: (piece: Piece) => Promise<void>
  removePieces: (keys: readonly string[]) => Promise<void>
  removeRecording: (id: string) => Promise<void>
}

interface UploaderServices {
  send: typeof sendCall
  store: VideoStore
  /** How many bytes wait. */
  changed: (unsent: number) => void
  /** The server has no space for more. */
  full: () => void
}

/** While the server has no space, or no one is signed in, it is asked once a minute. */
const longPause = 60_000
/** The server takes the age of a recording for so long; later the device's clock must do. */
const longestAge = 7_200_000

const keyOf = (id: string, offset: number): string => `${id} ${String(offset).padStart(12, '0')}`
const offsetIn = (key: string): number => Number(key.slice(key.indexOf(' ') + 1))

export function createVideoUploader({ send, store, changed, full }: UploaderServices) {
  const recordings: Recording[] = []
  let running = false
  let wake: (() => void) | undefined

  const unsent = () => recordings.reduce((sum, { bytes, sent }) => sum + Math.max(0, bytes - sent), 0)
  const report = () => changed(unsent())

  const pause = (ms: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function run(): Promise<void> {
    if (running) return
    running = true
    try {
      for (let failures = 0; ; ) {
        const next = recordings.find(one => one.ended || one.bytes - one.sent >= chunkBytes)
        if (!next) break
        try {
          await advance(next)
          failures = 0
        } catch (error) {
          const { again, reachable } = retryOf(error)
          const status = error instanceof CallError ? error.status : 0
          const isFull = status === 507
          // Somebody else may sign in on this device, or it may come back to the warehouse's network.
          const waits = isFull || status === 401 || status === 403
          if (isFull) full()
          else if (!again && !waits) {
            // The server will never take it: an upload that has ended, an order that was erased, filming that was switched off.
            await drop(next)
            continue
          }
          await pause(waits ? longPause : retryDelay(failures, reachable))
          failures += 1
        }
      }
    } finally {
      running = false
    }
  }

  /** One step: announces the recording, sends the next bytes, or ends it. */
  async function advance(recording: Recording): Promise<void> {
    if (recording.upload_id === null) return announce(recording)
    const { upload_id: id } = recording
    try {
      if (recording.sent < recording.bytes) {
        const { sent: offset } = recording
        const data = await bytesFrom(recording)
        if (data === null) return drop(recording)
        const headers = { 'x-chunk-sha256': await sha256Of(data) }
        await send(packingVideo.upload, { id, offset, upload: data }, { headers })
        return went(recording, offset + data.size)
      }
      if (!recording.ended) return
      await send(packingVideo.finish, { id, body: { bytes: recording.bytes } })
      return drop(recording)
    } catch (error) {
      const offset = offsetOf(error)
      if (offset === null) throw error
      // An answer was lost before: the server has more, or less, than this device knows.
      return went(recording, offset)
    }
  }

  async function announce(recording: Recording): Promise<void> {
    if (recording.ended && recording.bytes === 0) return drop(recording)
    const age_ms = Math.max(0, Date.now() - recording.began_at)
    const { session_id: order_overview_id, id: client_id, media_type } = recording
    const when = age_ms <= longestAge ? { age_ms } : { starts_at: new Date(recording.began_at).toISOString() }
    const { upload } = await send(packingVideo.create, { order_overview_id, body: { client_id, media_type, ...when } })
    if (!upload) return drop(recording)
    recording.upload_id = upload.upload_id
    await went(recording, upload.offset)
  }

  /** The next bytes that the server lacks, up to a piece of the upload; null where they are gone from this device. */
  async function bytesFrom({ id, sent }: Recording): Promise<Blob | null> {
    const keys = (await store.pieceKeys()).filter(key => key.startsWith(`${id} `)).sort()
    const first = keys.findLastIndex(key => offsetIn(key) <= sent)
    const parts: Blob[] = []
    let size = 0
    for (const key of keys.slice(Math.max(0, first))) {
      const piece = await store.piece(key)
      const skipped = sent + size - offsetIn(key)
      if (!piece || skipped < 0 || (parts.length === 0 && skipped >= piece.data.size)) break
      const part = piece.data.slice(skipped)
      parts.push(part)
      size += part.size
      if (size >= chunkBytes) break
    }
    return size === 0 ? null : new Blob(parts).slice(0, mostChunkBytes, 'application/octet-stream')
  }

  async function went(recording: Recording, sent: number): Promise<void> {
    recording.sent = sent
    await store.saveRecording({ ...recording })
    const keys = (await store.pieceKeys()).filter(key => key.startsWith(`${recording.id} `)).sort()
    // A piece is over where the next one begins within what was sent.
    const over = keys.filter((_, i) => {
      const next = keys[i + 1]
      return next === undefined ? sent >= recording.bytes : offsetIn(next) <= sent
    })
    await store.removePieces(over)
    report()
  }

  async function drop(recording: Recording): Promise<void> {
    recordings.splice(recordings.indexOf(recording), 1)
    const keys = (await store.pieceKeys()).filter(key => key.startsWith(`${recording.id} `))
    await store.removePieces(keys)
    await store.removeRecording(recording.id)
    report()
  }

  return {
    unsent,
    async add(recording: Recording, offset: number, data: Blob): Promise<void> {
      await store.savePiece({ key: keyOf(recording.id, offset), data })
      recording.bytes = offset + data.size
      if (!recordings.includes(recording)) recordings.push(recording)
      await store.saveRecording({ ...recording })
      report()
      void run()
    },
    async end(recording: Recording): Promise<void> {
      recording.ended = true
      if (recording.bytes === 0) return store.removeRecording(recording.id)
      await store.saveRecording({ ...recording })
      void run()
    },
    /** What an earlier page left behind has ended. */
    async restore(): Promise<void> {
      try {
        const keys = await store.pieceKeys()
        for (const recording of (await store.recordings()).sort((a, b) => a.began_at - b.began_at)) {
          const last = keys
            .filter(key => key.startsWith(`${recording.id} `))
            .sort()
            .at(-1)
          const piece = last === undefined ? undefined : await store.piece(last)
          // The row may be one piece behind what was kept of it.
          if (last !== undefined && piece) recording.bytes = Math.max(recording.bytes, offsetIn(last) + piece.data.size)
          recordings.push({ ...recording, ended: true })
        }
        report()
        void run()
      } catch {
        // A private window keeps nothing.
      }
    },
    retryNow(): void {
      wake?.()
      void run()
    },
  }
}

/** How much the server has, where it says so in a refusal. */
function offsetOf(error: unknown): number | null {
  if (!(error instanceof CallError) || (error.code !== 'upload_offset' && error.code !== 'upload_short')) return null
  const current: unknown = error.current
  return typeof current === 'object' && current !== null && 'offset' in current && typeof current.offset === 'number'
    ? current.offset
    : null
}

async function sha256Of(data: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await data.arrayBuffer())
  return [...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
