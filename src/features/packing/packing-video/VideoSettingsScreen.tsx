/** Packing video: what is filmed and how long it stays, recorders, what is kept, how much it takes, and who saw it. */
import { Tabs } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { packingVideo } from './packing-video.contract.ts'
import { VideoSettingsForm } from './VideoSettingsForm.tsx'

// Seldom opened after the first day.
const HeldVideos = lazy(() => import('./HeldVideos.tsx').then(module => ({ default: module.HeldVideos })))
const VideoRecorders = lazy(() => import('./VideoRecorders.tsx').then(module => ({ default: module.VideoRecorders })))
const VideoStorage = lazy(() => import('./VideoStorage.tsx').then(module => ({ default: module.VideoStorage })))
const VideoViews = lazy(() => import('./VideoViews.tsx').then(module => ({ default: module.VideoViews })))

const View = {
  tab: urlChoice(['recording', 'recorders', 'storage', 'held', 'views'], 'recording'),
  query: urlText(),
  page: urlNumber(1),
}

export function VideoSettingsScreen() {
  const t = useT()
  const { user } = useSignedIn()
  const [url, setUrl] = useUrlState(View)
  const settings = useCall(packingVideo.settings, {}, { live: ['video'] })
  // The main company films for its shops, which see their own clips alone.
  const isMain = user.is_main_company
  const tab = isMain || url.tab === 'held' || url.tab === 'views' ? url.tab : 'recording'
  const list = tab === 'held' || tab === 'views'
  const place = { query: url.query, page: url.page, set: setUrl }
  return (
    <Page title={t('Packing video')} fill={list}>
      <Tabs
        value={tab}
        onChange={next => next && setUrl({ tab: next, query: '', page: 1 })}
        keepMounted={false}
        style={list ? { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 } : undefined}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="recording">{t('Filming')}</Tabs.Tab>
          {isMain ? <Tabs.Tab value="recorders">{t('Recorders')}</Tabs.Tab> : null}
          {isMain ? <Tabs.Tab value="storage">{t('Storage')}</Tabs.Tab> : null}
          <Tabs.Tab value="held">{t('Kept videos')}</Tabs.Tab>
          <Tabs.Tab value="views">{t('Access log')}</Tabs.Tab>
        </Tabs.List>
        <Suspense fallback={<Skeleton shape={list ? 'rows' : 'form'} />}>
          <Tabs.Panel value="recording">
            <QueryState of={settings} shape="form">
              {saved => <VideoSettingsForm saved={saved} mayEdit={isMain} />}
            </QueryState>
          </Tabs.Panel>
          <Tabs.Panel value="recorders">
            <VideoRecorders />
          </Tabs.Panel>
          <Tabs.Panel value="storage">
            <VideoStorage />
          </Tabs.Panel>
          <Tabs.Panel value="held" style={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
            <HeldVideos {...place} />
          </Tabs.Panel>
          <Tabs.Panel value="views" style={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
            <VideoViews {...place} />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </Page>
  )
}
