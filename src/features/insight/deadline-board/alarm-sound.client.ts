/** The sound of alarms: once for each, on this device, as soon as a person has touched the page. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { device } from '#ui/device/device-storage.ts'
import { createSounds, type Sound, type Sounds } from '#ui/scanner/sounds.ts'
import type { Alarm } from './deadline-board.codes.ts'
import type { Board } from './deadline-board.schemas.ts'

/** `off`: for all boards, by the settings. `muted`: on this device. `blocked`: the browser waits for a touch or a key. */
export type SoundState = 'off' | 'muted' | 'blocked' | 'on'

const soundOf: Partial<Record<Alarm, Sound>> = { soon: 'attention', urgent: 'error' }
const place = 'board:alarms'
const loudness = 0.9

function remembered(): { heard: number; muted: boolean } {
  const { heard, muted } = device.read('views')?.[place] ?? {}
  return { heard: typeof heard === 'number' ? heard : 0, muted: muted === true }
}
const remember = (change: { heard?: number; muted?: boolean }) =>
  device.write('views', { ...device.read('views'), [place]: { ...remembered(), ...change } })

export function useAlarmSound(board: Board | undefined): { state: SoundState; mute: (muted: boolean) => void } {
  const sounds = useRef<Sounds>(undefined)
  const [ready, setReady] = useState(false)
  const [muted, setMuted] = useState(() => remembered().muted)
  // The outside system is the loudspeaker.
  useEffect(() => {
    const made = createSounds(loudness)
    sounds.current = made
    const timer = setInterval(() => setReady(made.isReady()), 500)
    return () => {
      clearInterval(timer)
      made.stop()
    }
  }, [])
  const wanted = board?.sound === true && !muted
  const newest = (board?.rows ?? []).reduce<{ id: number; sound: Sound } | null>((last, { alarm, alarm_id }) => {
    const sound = alarm === null ? undefined : soundOf[alarm]
    return alarm_id === null || !sound || (last && last.id > alarm_id) ? last : { id: alarm_id, sound }
  }, null)
  const play = useEffectEvent((id: number) => {
    if (!newest || id <= remembered().heard) return
    remember({ heard: id })
    sounds.current?.play(newest.sound)
  })
  const id = newest?.id ?? 0
  useEffect(() => {
    if (ready && wanted) play(id)
  }, [ready, wanted, id])
  const mute = (now: boolean) => {
    remember({ muted: now })
    setMuted(now)
  }
  return { state: board?.sound !== true ? 'off' : muted ? 'muted' : ready ? 'on' : 'blocked', mute }
}
