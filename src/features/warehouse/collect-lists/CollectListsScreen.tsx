/** Collect lists: the cages of today, all lists, and the cages themselves. */
import { Tabs } from '@mantine/core'
import { access } from '#contract/access.ts'
import { useLastOpened } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { CollectCages } from './CollectCages.tsx'
import { CollectListPage } from './CollectListPage.tsx'
import { CollectTable } from './CollectTable.tsx'
import { CollectTiles } from './CollectTiles.tsx'
import { CollectUrl, tabs } from './collect-lists-url.client.ts'

export function CollectListsScreen() {
  const t = useT()
  const [url, setUrl, urlWith] = useUrlState(CollectUrl)
  const cameFrom = useLastOpened(url.id)
  const mayChange = useIsAllowed(access.listsAdmin)
  // A view that somebody saved names no tab, only what it looks for.
  const looking = url.query !== '' || url.state !== '' || url.courier !== '' || url.day !== '' || url.sort !== '-id'
  const tab = looking ? 'lists' : url.tab === 'cages' && !mayChange ? 'today' : url.tab
  if (url.id > 0) return <CollectListPage key={url.id} url={url} setUrl={setUrl} urlWith={urlWith} />
  return (
    <Page title={t('Collect lists')} fill={tab === 'lists'}>
      <Tabs
        value={tab}
        onChange={chosen =>
          setUrl({ tab: tabs.find(one => one === chosen) ?? 'today', query: '', state: '', courier: '', day: '', sort: '-id' })
        }
        keepMounted={false}
        mb="md"
      >
        <Tabs.List>
          <Tabs.Tab value="today">{t('Cages today')}</Tabs.Tab>
          <Tabs.Tab value="lists">{t('Lists')}</Tabs.Tab>
          {mayChange ? <Tabs.Tab value="cages">{t('Set up cages')}</Tabs.Tab> : null}
        </Tabs.List>
      </Tabs>
      {tab === 'lists' ? (
        <CollectTable url={url} setUrl={setUrl} urlWith={urlWith} cameFrom={cameFrom} />
      ) : tab === 'cages' ? (
        <CollectCages />
      ) : (
        <CollectTiles />
      )}
    </Page>
  )
}
