/**
 * The station's camera in the top bar: whether it films, what waits to be sent, and how it is chosen and switched on. Nothing is shown where the
 * company does not film.
 */

import { ActionIcon, Alert, Button, NativeSelect, Popover, Stack, Text } from '@mantine/core'
import { IconVideo, IconVideoOff } from '@tabler/icons-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { bytes } from '#ui/kit/format.ts'
import { markTitles } from '#ui/kit/page-title.ts'
import { useLocale, useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { onReconnect } from '#ui/query/change-stream.ts'
import { cameraProblemOf } from '#ui/scanner/camera.ts'
import { packingVideo } from './packing-video.contract.ts'
import style from './StationCamera.module.css'
import { createStationRecording, type RecordingState, wantedPicture } from './station-recording.client.ts'

/** One for the page: recording goes on while a screen comes and goes. */
const recording = createStationRecording({ send })
onReconnect(() => recording.retryNow())

interface Choice {
  on: boolean
  camera_id: string | null
}
const choiceIn = (kept: Record<string, unknown> | undefined): Choice => ({
  on: kept?.on === true,
  camera_id: typeof kept?.camera_id === 'string' ? kept.camera_id : null,
})

/** Enter belongs to the station again. */
const leaveFocus = () => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/** From so much on it is said how much waits. */
const worthSaying = 5e6

export function StationCamera({ session_id }: { session_id: number | null }) {
  const t = useT()
  const { data: company } = useCall(packingVideo.station, {}, { fresh: 300_000, live: ['company'] })
  const { on, camera_id } = choiceIn(useDevice('dvr'))
  const state = useSyncExternalStore(recording.subscribe, recording.read)
  const [opened, setOpened] = useState(false)
  const films = company?.enabled === true && on
  const quality = company?.quality
  // The outside systems are the camera and the title of the document.
  useEffect(() => {
    recording.use(films && quality ? { camera_id, quality } : null)
  }, [films, camera_id, quality])
  useEffect(() => recording.film(session_id), [session_id])
  useEffect(() => {
    markTitles(state.recording ? '● ' : '')
    return () => markTitles('')
  }, [state.recording])
  // The screen is left for another one: nothing is filmed there.
  useEffect(() => () => recording.film(null), [])
  if (!company?.enabled) return null
  const trouble = films && state.problem !== null
  const word = state.recording ? t('Recording video') : trouble ? t('Not recording') : on ? t('Camera is on') : t('Camera is off')
  return (
    <Popover position="bottom-end" width={360} opened={opened} onChange={setOpened} onClose={leaveFocus} trapFocus>
      <Popover.Target>
        <ActionIcon
          size="lg"
          className={style.button}
          data-recording={state.recording || undefined}
          data-trouble={trouble || undefined}
          aria-label={word}
          title={word}
          onClick={() => setOpened(shown => !shown)}
        >
          {state.recording ? (
            <span className={style.recording}>
              <span className={style.dot} aria-hidden />
              {word}
            </span>
          ) : on ? (
            <IconVideo size={20} />
          ) : (
            <IconVideoOff size={20} />
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        {opened ? <Setup state={state} on={on} camera_id={camera_id} quality={company.quality} notices={company.notices} /> : null}
      </Popover.Dropdown>
    </Popover>
  )
}

interface SetupProps extends Choice {
  state: RecordingState
  quality: '480p' | '720p'
  notices: Record<string, string>
}

function Setup({ state, on, camera_id, quality, notices }: SetupProps) {
  const t = useT()
  const notice = notices[useLocale()]
  const { video, cameras, problem } = usePreview(camera_id, quality)
  const choose = (choice: Partial<Choice>) => device.write('dvr', { ...device.read('dvr'), on, camera_id, ...choice })
  const trouble = problem ?? (on ? state.problem : null)
  return (
    <Stack gap="sm">
      <Text fw={600}>{t('Camera of this station')}</Text>
      {notice ? <Text size="sm">{notice}</Text> : null}
      <video ref={video} className={style.preview} muted playsInline autoPlay aria-label={t('Picture of the camera')} />
      {trouble ? <Alert color="amber">{t(troubles[trouble])}</Alert> : null}
      {cameras.length > 1 ? (
        <NativeSelect
          label={t('Camera')}
          value={camera_id ?? ''}
          data={[
            { value: '', label: t('The browser’s choice') },
            ...cameras.map((one, i) => ({ value: one.deviceId, label: one.label || t('Camera {{number}}', { number: i + 1 }) })),
          ]}
          onChange={event => choose({ camera_id: event.currentTarget.value || null })}
        />
      ) : null}
      {state.unsent >= worthSaying ? (
        <Text size="sm" c="dimmed">
          {t('{{size}} wait to be sent', { size: bytes(state.unsent) })}
        </Text>
      ) : null}
      {on ? (
        <Button variant="default" onClick={() => choose({ on: false })}>
          {t('Switch camera off')}
        </Button>
      ) : (
        <Button {...disabledBecause(problem && t(troubles[problem]))} onClick={() => choose({ on: true })}>
          {t('Switch camera on')}
        </Button>
      )}
    </Stack>
  )
}

const troubles: Record<NonNullable<RecordingState['problem']>, string> = {
  insecure: 'The camera works only over HTTPS. Ask your administrator to set it up.',
  missing: 'The camera is not connected. Plug it in, or choose another one.',
  refused: 'The camera is not allowed. Allow it for this page in the settings of the browser.',
  busy: 'Another program uses the camera. Close it, then try again.',
  failed: 'The camera could not be started.',
  full: 'There is no space for more video. Packing goes on without it.',
  refused_storage: 'This browser keeps no videos. Close other tabs, or leave the private window.',
}

/** The picture of the chosen camera while this is open, and the cameras that there are. */
function usePreview(camera_id: string | null, quality: '480p' | '720p') {
  const video = useRef<HTMLVideoElement>(null)
  const [cameras, setCameras] = useState<readonly MediaDeviceInfo[]>([])
  const [problem, setProblem] = useState<RecordingState['problem']>(null)
  // The outside system is the camera.
  useEffect(() => {
    let stream: MediaStream | undefined
    let closed = false
    const close = () => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    const open = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia(wantedPicture({ camera_id, quality }))
        if (closed) return close()
        if (video.current) video.current.srcObject = stream
        setProblem(null)
      } catch (error) {
        if (!closed) setProblem(cameraProblemOf(error))
      }
      // Names of cameras are given only once one was allowed.
      const all = await navigator.mediaDevices?.enumerateDevices().catch(() => [])
      if (!closed) setCameras((all ?? []).filter(one => one.kind === 'videoinput'))
    }
    void open()
    return () => {
      closed = true
      close()
    }
  }, [camera_id, quality])
  return { video, cameras, problem }
}
