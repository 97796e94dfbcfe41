/** What a shared link opens: one packing video, without a login and without anything of its order. */
import { Button, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { instant } from '#ui/kit/format.ts'
import { Logo } from '#ui/kit/Logo.tsx'
import { usePageTitle } from '#ui/kit/page-title.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useT } from '#ui/kit/translate.ts'
import { CallError, noAnswer } from '#ui/query/call-error.ts'
import { type Received, send } from '#ui/query/calls.ts'
import style from './ClipScreen.module.css'
import { packingVideo } from './packing-video.contract.ts'
import { VideoPlayer } from './VideoPlayer.tsx'
import { addressOfVideo } from './video-ticket.client.ts'

type Shared = Received<typeof packingVideo.shared>

/** The cookie lives for ten minutes; a video that is being cut is asked for sooner. */
const renewAfter = 540_000
const askAfter = 5_000

export function ClipScreen() {
  const t = useT()
  usePageTitle(t('Packing video'))
  const [shared, setShared] = useState<Shared | null>(null)
  const [error, setError] = useState<CallError | null>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks once more
  useEffect(() => {
    const robots = document.createElement('meta')
    robots.name = 'robots'
    robots.content = 'noindex'
    document.head.append(robots)
    // The token stands behind #, which no server and no log sees.
    const token = window.location.hash.slice(1)
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = () =>
      send(packingVideo.shared, { body: { token } }, { cookies: true }).then(
        answer => {
          setShared(answer)
          setError(null)
          timer = setTimeout(() => void ask(), answer.ready ? renewAfter : askAfter)
        },
        (failure: unknown) => setError(failure instanceof CallError ? failure : noAnswer()),
      )
    void ask()
    return () => {
      clearTimeout(timer)
      robots.remove()
    }
  }, [tries])
  return (
    <main className={style.page}>
      <header className={style.head}>
        <Logo size={22} />
        <h1>{t('Packing video')}</h1>
      </header>
      {error ? (
        error.status === 404 ? (
          <EmptyList title={t('This link does not work')}>{t('It has ended or was never made. Ask the sender for a new one.')}</EmptyList>
        ) : (
          <EmptyList
            title={t('The video cannot be loaded')}
            action={<Button onClick={() => setTries(count => count + 1)}>{t('Try again')}</Button>}
          >
            {t('Check the connection and try again.')}
          </EmptyList>
        )
      ) : shared === null ? (
        <Skeleton shape="page" />
      ) : shared.ready ? (
        <>
          <VideoPlayer
            src={addressOfVideo(shared.video_id)}
            duration_ms={shared.duration_ms}
            marks={shared.marks}
            label={t('Packing video')}
          />
          <Text size="sm" c="dimmed">
            {t('Filmed {{time}}. The link works until {{until}}.', { time: instant(shared.starts_at), until: instant(shared.expires_at) })}
          </Text>
        </>
      ) : (
        <EmptyList title={t('The video is being prepared')}>{t('It appears here by itself in a moment.')}</EmptyList>
      )}
    </main>
  )
}
