/** A packing video with a mark at every scan and its still: a press on a mark, or on its row in the list beside it, goes there. */
import { Alert, Button, Text } from '@mantine/core'
import { IconPhotoDown } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, useCommand } from '#ui/query/calls.ts'
import type { MarkKind } from './packing-video.codes.ts'
import { markWords } from './packing-video.labels.ts'
import style from './VideoPlayer.module.css'
import { stillOf, useStills } from './video-stills.client.ts'

interface ShownMark {
  t_ms: number
  kind: MarkKind
  text?: string
}

interface VideoPlayerProps {
  src: string
  duration_ms: number
  marks: readonly ShownMark[]
  /** A place in it can be found only roughly. */
  coarse?: boolean
  label: string
  /** The video cannot be loaded (any more). */
  failed?: () => void
}

export function VideoPlayer({ src, duration_ms, marks, coarse = false, label, failed }: VideoPlayerProps) {
  const t = useT()
  const video = useRef<HTMLVideoElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [at, setAt] = useState(0)
  const current = marks.findLastIndex(mark => mark.t_ms <= at + 50)
  const stills = useStills(
    src,
    marks.map(mark => mark.t_ms),
  )
  const save = useCommand(
    async (element: HTMLVideoElement) =>
      new File([await stillOf(element)], `${Math.round(element.currentTime * 1_000)}.jpg`, { type: 'image/jpeg' }),
    { done: saveFile },
  )
  const seek = (t_ms: number) => {
    const element = video.current
    if (!element) return
    element.currentTime = t_ms / 1_000
    setAt(t_ms)
  }
  // The list follows the video, which scrolls by itself as little as possible.
  useEffect(() => {
    const row = list.current?.children[current]
    const box = list.current
    if (!(row instanceof HTMLElement) || !box) return
    if (row.offsetTop < box.scrollTop || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = row.offsetTop - box.clientHeight / 2
  }, [current])
  return (
    <div className={style.frame}>
      <div className={style.player}>
        <div className={style.screen}>
          <video
            ref={video}
            className={style.video}
            src={src}
            controls
            playsInline
            muted
            preload="metadata"
            aria-label={label}
            onTimeUpdate={event => setAt(event.currentTarget.currentTime * 1_000)}
            onSeeking={event => setAt(event.currentTarget.currentTime * 1_000)}
            onError={failed}
          />
          <div className={style.ticks} data-part="ticks">
            <span className={style.past} style={{ inlineSize: `${Math.min(100, (at / Math.max(1, duration_ms)) * 100)}%` }} />
            {marks.map((mark, i) => (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: two marks may be alike
                key={i}
                type="button"
                className={style.tick}
                data-kind={mark.kind}
                style={{ insetInlineStart: `${Math.min(100, (mark.t_ms / Math.max(1, duration_ms)) * 100)}%` }}
                title={`${clock(mark.t_ms)} ${markWords(t, mark)}`}
                tabIndex={-1}
                aria-hidden
                onClick={() => seek(mark.t_ms)}
              />
            ))}
          </div>
          <Button
            className={style.save}
            size="compact-sm"
            variant="default"
            leftSection={<IconPhotoDown size={16} />}
            onClick={() => video.current && save.mutate(video.current)}
          >
            {t('Save this picture')}
          </Button>
          {coarse ? <Alert color="amber">{t('Places in this video can be found only roughly.')}</Alert> : null}
        </div>
        <ol className={style.marks} ref={list} aria-label={t('Marks')}>
          {marks.length === 0 ? (
            <li>
              <Text size="sm" c="dimmed" p="sm">
                {t('Nothing was scanned in this video.')}
              </Text>
            </li>
          ) : null}
          {marks.map((mark, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two marks may be alike
            <li key={i}>
              <button
                type="button"
                className={style.mark}
                data-kind={mark.kind}
                aria-current={i === current || undefined}
                onClick={() => seek(mark.t_ms)}
              >
                {stills.has(mark.t_ms) ? (
                  <img className={style.still} src={stills.get(mark.t_ms)} alt="" />
                ) : (
                  <span className={style.still} aria-hidden />
                )}
                <span className={style.time}>{clock(mark.t_ms)}</span>
                <span className={style.words}>{markWords(t, mark)}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

/** Milliseconds → `1:04`. */
const clock = (ms: number): string => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, '0')}`
