/** Settings of the dashboard: deadlines, days on which pickups differ, and links of boards. */
import { Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { isOneOf } from '#domain/objects.ts'
import { DeadlineList, useMaySetDeadlines } from '#features/orders/deadlines/DeadlineList.tsx'
import { deadlineWriters } from '#features/orders/deadlines/deadlines.contract.ts'
import { PickupDays } from '#features/orders/deadlines/PickupDays.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { AlarmSettings } from './AlarmSettings.tsx'
import { BoardLinks } from './BoardLinks.tsx'

const tabs = ['deadlines', 'days', 'links', 'alarms'] as const
const View = { tab: urlChoice(tabs, 'deadlines'), id: urlText() }
const path = '/settings/dashboard'

export function DashboardSettingsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const maySet = useMaySetDeadlines()
  const mayLink = useIsAllowed(deadlineWriters)
  const { user } = useSignedIn()
  const alarms = maySet && user.is_main_company ? <AlarmSettings /> : null
  const titles = { deadlines: t('Deadlines'), days: t('Closed days'), links: t('Board links'), alarms: t('Alarms') }
  const shown = tabs.filter(tab => (tab === 'links' ? mayLink : tab === 'alarms' ? alarms !== null : true))
  return (
    <Page
      title={t('Dashboard')}
      fill
      tabs={
        <Tabs value={url.tab} onChange={tab => setUrl({ tab: isOneOf(tabs, tab) ? tab : 'deadlines', id: '' })}>
          <Tabs.List>
            {shown.map(tab => (
              <Tabs.Tab key={tab} value={tab}>
                {titles[tab]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      }
      actions={
        url.tab === 'deadlines' && maySet ? (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
            {t('Add deadline')}
          </Button>
        ) : url.tab === 'links' && mayLink ? (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
            {t('Make link')}
          </Button>
        ) : null
      }
    >
      {url.tab === 'days' ? (
        <PickupDays />
      ) : url.tab === 'links' && mayLink ? (
        <BoardLinks making={url.id === 'new'} close={() => setUrl({ id: '' })} make={() => setUrl({ id: 'new' })} />
      ) : url.tab === 'alarms' && alarms ? (
        alarms
      ) : (
        <DeadlineList path={path} />
      )}
    </Page>
  )
}
