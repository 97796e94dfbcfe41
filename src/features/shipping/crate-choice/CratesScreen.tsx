/** Boxes: the types of the main company, and the rules of a company about its products. */
import { Tabs } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { access } from '#contract/access.ts'
import { CrateTypes } from '#features/catalog/crates/CrateTypes.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { crateChoice } from './crate-choice.contract.ts'

const CrateRules = lazy(async () => ({ default: (await import('#features/catalog/crates/CrateRules.tsx')).CrateRules }))
const CratePreview = lazy(async () => ({ default: (await import('./CratePreview.tsx')).CratePreview }))

const CrateReport = lazy(async () => ({ default: (await import('./CrateReport.tsx')).CrateReport }))

const tabs = ['types', 'rules', 'try', 'report'] as const
const View = { tab: urlChoice(['', ...tabs], '') }

export function CratesScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const titles = { types: t('Boxes'), rules: t('Rules'), try: t('Try it'), report: t('Report') }
  // Those who may set rules only do not read the costs of boxes.
  const allowed = { types: useIsAllowed(access.crates), rules: true, try: true, report: useIsAllowed(crateChoice.report.access) }
  const shown = tabs.filter(tab => allowed[tab])
  const open = shown.find(tab => tab === url.tab) ?? shown[0] ?? 'rules'
  const list = (
    <Tabs value={open} onChange={tab => setUrl({ tab: shown.find(one => one === tab) ?? '' })} mb="md">
      <Tabs.List>
        {shown.map(tab => (
          <Tabs.Tab key={tab} value={tab}>
            {titles[tab]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
  if (open === 'types') return <CrateTypes tabs={list} />
  return (
    <Suspense fallback={null}>
      {open === 'try' ? <CratePreview tabs={list} /> : open === 'report' ? <CrateReport tabs={list} /> : <CrateRules tabs={list} />}
    </Suspense>
  )
}
