/** Pick lists: all of them, one of them, a new one, and the wagons they go on. */
import { Badge, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useLastOpened } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import { NewPickListScreen } from './NewPickListScreen.tsx'
import { PickListPage } from './PickListScreen.tsx'
import { PickListTable } from './PickListTable.tsx'
import { pickLists } from './pick-lists.contract.ts'
import { PickListsUrl } from './pick-lists-url.client.ts'
import { WagonTypes } from './WagonTypes.tsx'

export function PickListsScreen() {
  const t = useT()
  const [url, setUrl, urlWith] = useUrlState(PickListsUrl)
  const cameFrom = useLastOpened(url.id)
  const waiting = useCall(pickLists.available, { x: 'cluster' }, { live: ['order', 'pick_list'], fresh: 15_000, enabled: url.id === 0 })
  if (url.id > 0) return <PickListPage key={url.id} url={url} setUrl={setUrl} urlWith={urlWith} />
  if (url.tab === 'new') return <NewPickListScreen orders={url.orders} />
  const count = waiting.data
  return (
    <Page
      title={t('Pick lists')}
      fill={url.tab === 'lists'}
      badge={
        count ? (
          <Badge variant="light" color="harbour" size="lg" radius="sm">
            {t('{{number}} waiting', { number: count.is_more ? `${number(count.count)}+` : number(count.count) })}
          </Badge>
        ) : null
      }
      actions={
        <Button component={Link} to="/lists/pick" search={{ tab: 'new' }} leftSection={<IconPlus size={16} />}>
          {t('New pick list')}
        </Button>
      }
    >
      {url.tab === 'wagons' ? <WagonTypes /> : <PickListTable url={url} setUrl={setUrl} urlWith={urlWith} cameFrom={cameFrom} />}
    </Page>
  )
}
