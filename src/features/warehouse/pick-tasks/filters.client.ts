/** The filters that all three lists of pick tasks share. */

import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import type { Filter } from '#ui/kit/FilterBar.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { TabProps } from './pick-tasks-url.client.ts'

export function useTaskFilters({ url, setUrl }: TabProps, reasons: readonly { value: string; label: string }[]): Filter[] {
  const t = useT()
  const byCompany = useCompanyFilter({
    kind: 'many',
    value: url.company.map(String),
    set: company => setUrl({ company: company.map(Number) }),
  })
  return [
    {
      key: 'show',
      label: t('Show'),
      kind: 'one',
      options: [
        { value: 'done', label: t('Done') },
        { value: 'all', label: t('Open and done') },
      ],
      value: url.show === 'open' ? [] : [url.show],
      set: ([show = 'open']) => setUrl({ show }),
    },
    {
      key: 'reason',
      label: t('Reason'),
      kind: 'many',
      options: reasons,
      value: url.reason,
      set: reason => setUrl({ reason: [...reason] }),
    },
    ...byCompany,
  ]
}

export const isFiltered = (url: TabProps['url']): boolean =>
  url.query !== '' || url.show !== 'open' || url.company.length + url.reason.length + url.decision.length > 0
export const noFilters = { query: '', show: 'open', company: [], reason: [], decision: [] } as const
