/** The filter of a list by company: absent for a person who sees one company only. */
import { useSignedIn } from '#ui/query/session.ts'
import type { Filter } from './FilterBar.tsx'
import { useT } from './translate.ts'

/** `value` and `set` take the companies' ids as text. */
export function useCompanyFilter({ kind, value, set }: Pick<Filter, 'value' | 'set'> & { kind: 'one' | 'many' }): Filter[] {
  const t = useT()
  const { CompanyLookup } = useSignedIn().init
  if (CompanyLookup.length < 2) return []
  const options = CompanyLookup.map(company => ({ value: String(company.id), label: company.name }))
  return [{ key: 'company', label: t('Company'), kind, options, value, set }]
}
