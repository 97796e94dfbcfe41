/**
 * The station's own camera: films from the opening of an order until 20 seconds after its end, or until the next one. What it films goes to
 * the browser's database first and from there to the server, so that neither a reload nor a gap in the network loses it.
 * It lives outside React, because recording goes on while a screen comes and goes.
 */
import { openOfflineDatabase } from '#ui/offline/offline-store.client.ts'
import type { send as sendCall } from '#ui/query/calls.ts'
import { onSessionEnd } from '#ui/query/session.ts'
import { type CameraProblem, cameraProblemOf } from '#ui/scanner/camera.ts'
import { megabitsPerSecond } from './packing-video.codes.ts'
import { createVideoUploader, type Piece, type Recording, type VideoStore } from './video-uploader.client.ts'

export interface RecordingState {
  recording: boolean
  /** Why nothing is filmed, though it should be. */
  problem: CameraProblem | 'full' | 'refused_storage' | null
  /** Bytes that wait on this device. */
  unsent: number
}

interface CameraSettings {
  camera_id: string | null
  quality: '480p' | '720p'
}

/** Seconds that are filmed after an order has left. */
const after = 20_000
/** A longer recording is continued in another part. */
const longest = 3_600_000
const everyMs = 2_000
/** Bytes that may wait on a device. */
const mostKept = 200e6

const sizes = { '480p': { width: 854, height: 480 }, '720p': { width: 1280, height: 720 } } as const
const types = ['video/webm;codecs=vp8', 'video/webm', 'video/mp4']

/** What the camera is asked for: picture, and never sound. */
export const wantedPicture = ({ camera_id, quality }: CameraSettings): MediaStreamConstraints => ({
  audio: false,
  video: {
    ...(camera_id === null ? {} : { deviceId: { exact: camera_id } }),
    width: { ideal: sizes[quality].width },
    height: { ideal: sizes[quality].height },
    frameRate: { ideal: 15, max: 15 },
  },
})

/** What is recorded and waits on this device. The name stays: devices hold unsent videos under it. */
function openVideoStore(): VideoStore {
  const database = openOfflineDatabase('pakhus-video', { recordings: 'id', pieces: 'key' })
  return {
    recordings: () => database.all<Recording>('recordings'),
    pieceKeys: () => database.keys('pieces'),
    piece: key => database.get<Piece>('pieces', key),
    saveRecording: recording => database.put('recordings', recording),
    savePiece: piece => database.put('pieces', piece),
    removePieces: keys => database.remove('pieces', keys),
    removeRecording: id => database.remove('recordings', [id]),
  }
}

export function createStationRecording({ send, store = openVideoStore() }: { send: typeof sendCall; store?: VideoStore }) {
  let state: RecordingState = { recording: false, problem: null, unsent: 0 }
  const watchers = new Set<() => void>()
  const set = (change: Partial<RecordingState>) => {
    state = { ...state, ...change }
    for (const watcher of watchers) watcher()
  }
  const uploader = createVideoUploader({
    send,
    store,
    changed: unsent => set({ unsent }),
    full: () => {
      set({ problem: 'full' })
      stop()
    },
  })

  let settings: CameraSettings | null = null
  /** The session that should be filmed. */
  let wanted: number | null = null
  let running: { session: number; stop: () => void } | null = null
  let ending: ReturnType<typeof setTimeout> | undefined
  /** Grows with each start, so that a camera that opens late is closed again. */
  let turn = 0

  function stop() {
    clearTimeout(ending)
    ending = undefined
    turn += 1
    running?.stop()
    running = null
    if (state.recording) set({ recording: false })
  }

  async function start(session: number, camera: CameraSettings): Promise<void> {
    stop()
    const mine = turn
    let stream: MediaStream
    try {
      stream = await navigator.mediaDevices.getUserMedia(wantedPicture(camera))
    } catch (error) {
      if (mine === turn) set({ problem: cameraProblemOf(error) })
      return
    }
    const close = () => {
      for (const track of stream.getTracks()) track.stop()
    }
    if (mine !== turn) return close()
    const mimeType = types.find(type => MediaRecorder.isTypeSupported(type))
    // The last is not in the types yet (https://www.w3.org/TR/mediastream-recording/): without it a place is found only every ten seconds.
    const options = {
      ...(mimeType ? { mimeType } : {}),
      videoBitsPerSecond: megabitsPerSecond[camera.quality] * 1e6,
      videoKeyFrameIntervalDuration: everyMs,
    }
    const recorder = new MediaRecorder(stream, options)
    const recording: Recording = {
      id: crypto.randomUUID(),
      session_id: session,
      media_type: recorder.mimeType.startsWith('video/mp4') ? 'video/mp4' : 'video/webm',
      began_at: Date.now(),
      bytes: 0,
      ended: false,
      upload_id: null,
      sent: 0,
    }
    // One after the other: pieces keep their order.
    let saving: Promise<void> = store.saveRecording(recording).catch(() => refuse())
    let refused = false
    function refuse() {
      refused = true
      set({ problem: 'refused_storage' })
      stop()
    }
    recorder.ondataavailable = ({ data }) => {
      if (data.size === 0 || refused) return
      saving = saving.then(async () => {
        if (refused) return
        if (uploader.unsent() + data.size > mostKept) {
          set({ problem: 'full' })
          return stop()
        }
        await uploader.add(recording, recording.bytes, data)
      }, refuse)
    }
    recorder.onstop = () => {
      close()
      saving = saving.then(() => uploader.end(recording)).catch(() => undefined)
    }
    const lost = () => {
      if (mine !== turn) return
      stop()
      set({ problem: 'missing' })
    }
    for (const track of stream.getVideoTracks()) track.addEventListener('ended', lost)
    recorder.onerror = lost
    const part = setTimeout(() => {
      if (mine === turn) void start(session, camera)
    }, longest)
    recorder.start(everyMs)
    running = {
      session,
      stop: () => {
        clearTimeout(part)
        if (recorder.state !== 'inactive') recorder.stop()
      },
    }
    set({ recording: true, problem: null })
  }

  function follow() {
    if (settings === null) return stop()
    if (wanted !== null && running?.session === wanted) {
      clearTimeout(ending)
      ending = undefined
      return
    }
    if (wanted !== null) return void start(wanted, settings)
    if (running && ending === undefined) ending = setTimeout(stop, after)
    // A camera that is still opening is not wanted any more.
    if (!running) turn += 1
  }

  onSessionEnd(() => {
    wanted = null
    stop()
  })
  void uploader.restore()

  return {
    read: () => state,
    subscribe(watcher: () => void): () => void {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** The open session of this station, or null between orders. */
    film(session: number | null): void {
      if (session === wanted) return
      wanted = session
      follow()
    },
    /** Null where this device does not film. */
    use(camera: CameraSettings | null): void {
      const same = JSON.stringify(camera) === JSON.stringify(settings)
      settings = camera
      if (same) return
      stop()
      if (camera && state.problem !== null) set({ problem: null })
      follow()
    },
    retryNow: uploader.retryNow,
  }
}
