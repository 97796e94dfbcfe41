/** Pick tasks: deciding about missing pieces, counting bins, putting goods back – at a desk, or with a phone in the aisle. */
import { Box, Button } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type View, ViewMenu } from '#ui/kit/FilterBar.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { CameraButton } from '#ui/scanner/CameraButton.tsx'
import { ScannerHere } from '#ui/scanner/handlers.tsx'
import { CountsTab } from './CountsTab.tsx'
import { PutBacksTab } from './PutBacksTab.tsx'
import { pickTasks } from './pick-tasks.contract.ts'
import { countsQuestion, putBacksQuestion, shortsQuestion, TasksUrl } from './pick-tasks-url.client.ts'
import { ShortsTab } from './ShortsTab.tsx'

export function PickTasksScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(TasksUrl)
  const [asking, setAsking] = useState(false)
  const count = useCall(pickTasks.count, {}, { live: ['pick_task'], fresh: 2_000 }).data
  const views: View[] = [
    { key: 'shorts', title: t('Missing'), search: {}, ...(count && { count: count.shorts }) },
    { key: 'counts', title: t('Counts'), search: { tab: 'counts' }, ...(count && { count: count.counts }) },
    { key: 'put_backs', title: t('Put back'), search: { tab: 'put_backs' }, ...(count && { count: count.put_backs }) },
  ]
  return (
    <ScannerHere onUnknown={() => undefined}>
      <Page
        title={t('Pick tasks')}
        fill
        badge={<ViewMenu views={views} current={views.find(view => view.key === url.tab)} word={t('Tasks')} />}
        actions={
          <>
            {url.tab === 'counts' ? (
              <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAsking(true)}>
                {t('Request bin count')}
              </Button>
            ) : null}
            {url.tab === 'shorts' ? null : (
              <Box hiddenFrom="sm">
                <CameraButton />
              </Box>
            )}
            <Export url={url} />
          </>
        }
      >
        {url.tab === 'counts' ? (
          <CountsTab url={url} setUrl={setUrl} asking={asking} setAsking={setAsking} />
        ) : url.tab === 'put_backs' ? (
          <PutBacksTab url={url} setUrl={setUrl} />
        ) : (
          <ShortsTab url={url} setUrl={setUrl} />
        )}
      </Page>
    </ScannerHere>
  )
}

/** What a tab asks for, as its call takes it. */

const exportOf = {
  shorts: (url: TasksUrl) => send(pickTasks.exportShorts, shortsQuestion(url)),
  counts: (url: TasksUrl) => send(pickTasks.exportCounts, countsQuestion(url)),
  put_backs: (url: TasksUrl) => send(pickTasks.exportPutBacks, putBacksQuestion(url)),
}

function Export({ url }: { url: TasksUrl }) {
  const t = useT()
  const save = useCommand(exportOf[url.tab], { done: saveFile })
  return (
    <Button
      visibleFrom="sm"
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={save.isPending}
      onClick={() => save.mutate(url)}
    >
      {t('Export')}
    </Button>
  )
}
