/** Stills of a clip at its marks, drawn from the clip itself: they go with it, and nothing more of a person is stored. */
import { useEffect, useState } from 'react'

/** Marks of which a still is drawn; a clip of more is looked through in the player. */
const mostStills = 80
/** Longest side of a still beside its mark, and how long one place of the clip is waited for. */
const [side, patience] = [160, 5_000]

/** Addresses of pictures by the milliseconds of their marks, as they are drawn one after the other. */
export function useStills(src: string, times: readonly number[]): ReadonlyMap<number, string> {
  const [stills, setStills] = useState<ReadonlyMap<number, string>>(new Map())
  const wanted = [...new Set(times)].slice(0, mostStills).join(' ')
  // The outside system is a second video element, beside the one that is shown.
  useEffect(() => {
    const leaving = new AbortController()
    const made: string[] = []
    const draw = async () => {
      const video = document.createElement('video')
      video.muted = true
      video.preload = 'auto'
      video.src = src
      leaving.signal.addEventListener('abort', () => video.removeAttribute('src'))
      await happens(video, 'loadeddata', leaving.signal)
      for (const t_ms of wanted === '' ? [] : wanted.split(' ').map(Number)) {
        const there = happens(video, 'seeked', leaving.signal)
        video.currentTime = t_ms / 1_000
        await there
        const picture = await stillOf(video, side)
        if (leaving.signal.aborted) return
        const address = URL.createObjectURL(picture)
        made.push(address)
        setStills(before => new Map(before).set(t_ms, address))
      }
    }
    draw().catch(() => undefined)
    return () => {
      leaving.abort()
      for (const address of made) URL.revokeObjectURL(address)
      setStills(new Map())
    }
  }, [src, wanted])
  return stills
}

/** The picture that a video shows now, as a JPEG; no longer than so many pixels where said. */
export async function stillOf(video: HTMLVideoElement, longest = Number.POSITIVE_INFINITY): Promise<Blob> {
  const scale = Math.min(1, longest / Math.max(video.videoWidth, video.videoHeight, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  const picture = await new Promise<Blob | null>(made => canvas.toBlob(made, 'image/jpeg', 0.85))
  if (!picture) throw new Error('The video gave no picture')
  return picture
}

function happens(video: HTMLVideoElement, event: 'loadeddata' | 'seeked', leaving: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.any([leaving, AbortSignal.timeout(patience)])
    const fail = () => reject(new Error('The video gave no picture'))
    signal.addEventListener('abort', fail, { once: true })
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', fail, { once: true })
  })
}
