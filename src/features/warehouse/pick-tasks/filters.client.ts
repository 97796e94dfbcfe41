/** The filters that all three lists of pick tasks share. */

import type { Filter } from '#ui/kit/FilterBar.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useSignedIn } from '#ui/query/session.ts'
import type { TabProps } from './pick-tasks-url.client.ts'

export function useTaskFilters({ url, setUrl }: TabProps, reasons: readonly { value: string; label: string }[]): Filter[] {
  const t = useT()
  const { init } = useSignedIn()
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
    ...(init.CompanyLookup.length > 1
      ? [
          {
            key: 'company',
            label: t('Company'),
            kind: 'many' as const,
            options: init.CompanyLookup.map(company => ({ value: String(company.id), label: company.name })),
            value: url.company.map(String),
            set: (company: readonly string[]) => setUrl({ company: company.map(Number) }),
          },
        ]
      : []),
  ]
}

export const isFiltered = (url: TabProps['url']): boolean =>
  url.query !== '' || url.show !== 'open' || url.company.length + url.reason.length + url.decision.length > 0
export const noFilters = { query: '', show: 'open', company: [], reason: [], decision: [] } as const
