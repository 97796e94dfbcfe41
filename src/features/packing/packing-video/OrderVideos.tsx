/** The videos of an order: each with a mark at every scan, kept beyond their days where someone needs them, and shared by link. */
import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronUp,
  IconDots,
  IconDownload,
  IconLink,
  IconLock,
  IconLockOpen,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { bytes, day, duration } from '#ui/kit/format.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './OrderVideos.module.css'
import { packingVideo } from './packing-video.contract.ts'
import { errorLabels, stateLabels, stateTones } from './packing-video.labels.ts'
import type { PackingVideo } from './packing-video.schemas.ts'
import { VideoPlayer } from './VideoPlayer.tsx'
import { addressOfVideo, useVideoTicket } from './video-ticket.client.ts'

const KeepVideo = lazy(() => import('./VideoDialogs.tsx').then(module => ({ default: module.KeepVideo })))
const ShareVideo = lazy(() => import('./VideoDialogs.tsx').then(module => ({ default: module.ShareVideo })))

interface OrderVideosProps {
  order_id: number
  /** Beside other facts, without a frame of its own. */
  bare?: boolean
}

export default function OrderVideos({ order_id, bare = false }: OrderVideosProps) {
  const t = useT()
  const may = useIsAllowed(packingVideo.list.access)
  const { data } = useCall(packingVideo.list, { id: order_id }, { enabled: may, live: [{ topic: 'video', id: order_id }] })
  const [opened, setOpened] = useState<number | null>(null)
  if (!data || data.rows.length === 0) return null
  const rows = data.rows.map(video => (
    <VideoRow
      key={video.id}
      video={video}
      opened={opened === video.id}
      toggle={() => setOpened(shown => (shown === video.id ? null : video.id))}
    />
  ))
  if (bare) return <section aria-label={t('Video')}>{rows}</section>
  return (
    <Panel title={t('Video')} count={data.rows.length} flush place={3}>
      {rows}
    </Panel>
  )
}

const refreshes = [packingVideo.list]

function VideoRow({ video, opened, toggle }: { video: PackingVideo; opened: boolean; toggle: () => void }) {
  const t = useT()
  const mayManage = useIsAllowed(packingVideo.hold.access)
  const [asking, setAsking] = useState<'keep' | 'share' | null>(null)
  const release = useSend(packingVideo.release, { refreshes, said: t('The video is no longer kept') })
  const revoke = useSend(packingVideo.revokeShare, { refreshes, said: t('The link opens nothing any more') })
  const save = useCommand((id: number) => send(packingVideo.get, { id }), { done: saveFile })
  const ready = video.state === 'available'
  const askToRelease = async () => {
    const gone = Date.parse(video.delete_after) <= Date.now()
    const sure = await confirm({
      title: t('Stop keeping this video?'),
      body: gone ? t('Its days are over: it is deleted within the hour.') : t('It is deleted when its days are over.'),
      action: t('Stop keeping'),
      keep: t('Keep video'),
      danger: true,
    })
    if (sure) release.mutate({ id: video.id })
  }
  return (
    <div className={style.row}>
      <div className={style.line}>
        <div className={style.what}>
          <Text fw={500}>
            {video.station}
            {video.channel === '' ? '' : ` · ${t('Channel {{channel}}', { channel: video.channel })}`}
            {video.part_no > 1 ? ` · ${t('Part {{number}}', { number: video.part_no })}` : ''}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            <RelativeTime at={video.starts_at} />
            {video.duration_ms === null ? null : ` · ${duration(video.duration_ms / 1_000)}`}
            {video.bytes === null ? null : ` · ${bytes(video.bytes)}`}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            <Fate video={video} />
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          {ready ? (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlayerPlay size={16} />}
              rightSection={opened ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
              aria-expanded={opened}
              onClick={toggle}
            >
              {opened ? t('Close video') : t('Show video')}
            </Button>
          ) : (
            <StateBadge tone={stateTones[video.state]}>{t(stateLabels[video.state])}</StateBadge>
          )}
          {ready ? (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="default" aria-label={t('More for this video')} title={t('More for this video')}>
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconDownload size={16} />} disabled={save.isPending} onClick={() => save.mutate(video.id)}>
                  {t('Save video')}
                </Menu.Item>
                {mayManage ? (
                  <>
                    <Menu.Item leftSection={<IconLink size={16} />} onClick={() => setAsking('share')}>
                      {t('Share by link')}
                    </Menu.Item>
                    <Menu.Item leftSection={<IconLock size={16} />} onClick={() => setAsking('keep')}>
                      {video.held_until === null ? t('Keep video') : t('Change until when it is kept')}
                    </Menu.Item>
                    {video.held_until === null ? null : (
                      <Menu.Item leftSection={<IconLockOpen size={16} />} color="brick" onClick={() => void askToRelease()}>
                        {t('Stop keeping')}
                      </Menu.Item>
                    )}
                  </>
                ) : null}
              </Menu.Dropdown>
            </Menu>
          ) : null}
        </Group>
      </div>
      {video.shares.map(share => (
        <div key={share.id} className={style.share}>
          <IconLink size={16} aria-hidden />
          <Text size="sm" style={{ flex: 1 }}>
            {t('Shared by {{name}} until', { name: share.created_by_name })} <RelativeTime at={share.expires_at} />
            {' · '}
            {t('{{count}} times opened', { count: share.views })}
            {share.cut_at_label ? ` · ${t('ends before the label')}` : ''}
          </Text>
          {mayManage ? (
            <Button
              size="compact-sm"
              variant="subtle"
              color="brick"
              loading={revoke.isPending}
              onClick={() => revoke.mutate({ id: share.id })}
            >
              {t('End link')}
            </Button>
          ) : null}
        </div>
      ))}
      {opened && ready ? <OpenVideo video={video} /> : null}
      <Suspense>
        {asking === 'keep' ? <KeepVideo video={video} close={() => setAsking(null)} /> : null}
        {asking === 'share' ? <ShareVideo video={video} close={() => setAsking(null)} /> : null}
      </Suspense>
    </div>
  )
}

/** Why there is nothing to see, or until when there is. */
function Fate({ video }: { video: PackingVideo }) {
  const t = useT()
  if (video.state === 'failed') return video.error === null ? null : t(errorLabels[video.error])
  if (video.state === 'expired') return video.deleted_at === null ? null : <RelativeTime at={video.deleted_at} as="day" />
  if (video.held_until !== null)
    return (
      <span>
        {t('Kept until {{day}} by {{name}}: {{reason}}', {
          day: day(video.held_until),
          name: video.held_by_name,
          reason: video.held_reason,
        })}
      </span>
    )
  if (video.state !== 'available') return null
  if (video.case_open) return <span>{t('Kept for an open return or claim, and 30 days after')}</span>
  return (
    <>
      {t('Deleted on')} <RelativeTime at={video.delete_after} as="day" />
    </>
  )
}

function OpenVideo({ video }: { video: PackingVideo }) {
  const t = useT()
  const ticket = useVideoTicket(video.id)
  if (ticket.error) return <ErrorState error={ticket.error} again={ticket.again} />
  if (!ticket.ready) return <div className={style.waiting} />
  return (
    <div className={style.open}>
      <VideoPlayer
        src={addressOfVideo(video.id)}
        duration_ms={video.duration_ms ?? 0}
        marks={video.marks}
        coarse={video.coarse}
        label={t('Video of {{station}}', { station: video.station })}
      />
    </div>
  )
}
