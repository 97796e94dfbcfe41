/**
 * The station's camera as it takes a still of the open box: open only while it is looked through or a photo is taken, and never with sound.
 * It is the camera that this device films with, where one was chosen.
 */
import { device } from '#ui/device/device-storage.ts'
import { cameraProblemOf } from '#ui/scanner/camera.ts'
import { type MissingPhotoReason, photoSide } from './packing-photos.codes.ts'

/** Milliseconds until a camera that was closed has set its light. */
const settling = 700
/** Milliseconds after which a camera that gives nothing is given up. */
const patience = 8_000

export function chosenCamera(kept: Record<string, unknown> | undefined): string | null {
  return typeof kept?.camera_id === 'string' ? kept.camera_id : null
}

export const chooseCamera = (camera_id: string | null): void => device.write('dvr', { ...device.read('dvr'), camera_id })

/** Those who look through the camera share its stream. */
let open: { stream: Promise<MediaStream>; camera_id: string | null; users: number; since: number } | undefined

interface OpenCamera {
  stream: Promise<MediaStream>
  /** Milliseconds since 1970, when it was opened. */
  since: number
  close: () => void
}

export function openStillCamera(): OpenCamera {
  const camera_id = chosenCamera(device.read('dvr'))
  if (open?.camera_id !== camera_id) open = undefined
  open ??= { stream: askFor(camera_id), camera_id, users: 0, since: Date.now() }
  const mine = open
  mine.users += 1
  let closed = false
  return {
    stream: mine.stream,
    since: mine.since,
    close() {
      if (closed) return
      closed = true
      mine.users -= 1
      if (mine.users > 0) return
      if (open === mine) open = undefined
      mine.stream.then(
        stream => {
          for (const track of stream.getTracks()) track.stop()
        },
        () => undefined,
      )
    },
  }
}

async function askFor(camera_id: string | null): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: {
      ...(camera_id === null ? {} : { deviceId: { exact: camera_id } }),
      width: { ideal: photoSide },
      height: { ideal: Math.round((photoSide * 9) / 16) },
    },
  })
}

/** A JPEG, or why there is none. Never throws. */
export async function takePhoto(): Promise<Blob | MissingPhotoReason> {
  const camera = openStillCamera()
  try {
    return await within(patience, still(await camera.stream, camera.since))
  } catch (error) {
    return cameraProblemOf(error)
  } finally {
    camera.close()
  }
}

async function still(stream: MediaStream, since: number): Promise<Blob> {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.srcObject = stream
  await video.play()
  await new Promise(settled => setTimeout(settled, Math.max(0, since + settling - Date.now())))
  const scale = Math.min(1, photoSide / Math.max(video.videoWidth, video.videoHeight, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  video.srcObject = null
  const photo = await new Promise<Blob | null>(made => canvas.toBlob(made, 'image/jpeg', 0.85))
  if (!photo || photo.size === 0) throw new Error('The camera gave no picture')
  return photo
}

const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('The camera gave no picture in time')), ms)
    }),
  ])
