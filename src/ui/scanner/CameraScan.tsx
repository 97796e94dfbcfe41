/** Scanning with the camera of a phone: the picture, a light, and every code it sees. */
import { Alert, Box, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { type Camera, CameraError, cameraSentences, openCamera, watchCodes } from './camera.ts'
import { vibrate } from './vibrate.ts'

type State = { is: 'starting' } | { is: 'seeing'; camera: Camera } | { is: 'failed'; sentence: string }

/** `onCode` hears each code once, with a short vibration; give it to `useScanner().emit`. The camera is off as soon as this is gone. */
export function CameraScan({ onCode, onClose }: { onCode: (text: string) => void; onClose?: () => void }) {
  const t = useT()
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<State>({ is: 'starting' })
  const [attempt, setAttempt] = useState(0)
  const [light, setLight] = useState(false)
  const [last, setLast] = useState<string>()

  const hear = useEffectEvent((text: string) => {
    vibrate(40)
    setLast(text)
    onCode(text)
  })

  // The camera.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts the camera again.
  useEffect(() => {
    const element = video.current
    if (!element) return
    const ending = new AbortController()
    setState({ is: 'starting' })
    const see = async () => {
      const camera = await openCamera(element, ending.signal)
      setState({ is: 'seeing', camera })
      await watchCodes(element, text => hear(text), ending.signal)
    }
    see().catch((error: unknown) => {
      if (ending.signal.aborted) return
      ending.abort()
      setState({ is: 'failed', sentence: cameraSentences[error instanceof CameraError ? error.problem : 'failed'] })
    })
    return () => ending.abort()
  }, [attempt])

  const torch = state.is === 'seeing' ? state.camera.torch : undefined
  return (
    <Stack gap="sm">
      <Box pos="relative" bg="black" style={{ aspectRatio: '4 / 3', maxHeight: '60dvh', overflow: 'hidden', borderRadius: 'var(--r)' }}>
        <video
          ref={video}
          aria-label={t('Picture of the camera')}
          playsInline
          muted
          style={{ width: '100%', height: '100%', objectFit: 'cover' }}
        />
        {state.is === 'starting' && (
          <Loader
            pos="absolute"
            top="50%"
            left="50%"
            style={{ transform: 'translate(-50%, -50%)' }}
            aria-label={t('The camera is starting')}
          />
        )}
        {state.is === 'seeing' && (
          <Box
            aria-hidden
            pos="absolute"
            top="50%"
            left="8%"
            right="8%"
            style={{ borderTop: '2px solid white', boxShadow: '0 0 0 1px black', pointerEvents: 'none' }}
          />
        )}
      </Box>
      {state.is === 'failed' && (
        <Alert color="red" title={t('No camera')}>
          {t(state.sentence)}
        </Alert>
      )}
      <Text aria-live="polite" mih="1.5em">
        {last !== undefined ? t('Read: {{text}}', { text: last }) : state.is === 'seeing' ? t('Hold the code in front of the camera.') : ''}
      </Text>
      <Group>
        {state.is === 'failed' && (
          <Button size="lg" onClick={() => setAttempt(attempt + 1)}>
            {t('Try again')}
          </Button>
        )}
        {torch && (
          <Button
            size="lg"
            variant="default"
            aria-pressed={light}
            onClick={() => {
              torch(!light)
                .then(() => setLight(!light))
                .catch(() => undefined)
            }}
          >
            {light ? t('Light off') : t('Light on')}
          </Button>
        )}
        {onClose && (
          <Button size="lg" variant="default" onClick={onClose}>
            {t('Close camera')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
