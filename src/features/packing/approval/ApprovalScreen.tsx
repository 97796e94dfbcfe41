/** Approval at the packing station: the rules that ask for a lead, and the log of what was asked. */
import { Tabs } from '@mantine/core'
import { access } from '#contract/access.ts'
import { Page } from '#ui/kit/Page.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { ApprovalLog } from './ApprovalLog.tsx'
import { ApprovalRules } from './ApprovalRules.tsx'

const View = { tab: urlChoice(['rules', 'log'], 'rules') }

export function ApprovalScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const mayWrite = useIsAllowed(access.settings)
  if (!mayWrite)
    return (
      <Page title={t('Approval')} fill>
        <ApprovalLog />
      </Page>
    )
  return (
    <Page title={t('Approval')} fill={url.tab === 'log'}>
      <Tabs value={url.tab} onChange={tab => setUrl({ tab: tab === 'log' ? 'log' : 'rules' })} keepMounted={false} mb="md">
        <Tabs.List>
          <Tabs.Tab value="rules">{t('Rules')}</Tabs.Tab>
          <Tabs.Tab value="log">{t('Log')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      {url.tab === 'log' ? <ApprovalLog /> : <ApprovalRules />}
    </Page>
  )
}
