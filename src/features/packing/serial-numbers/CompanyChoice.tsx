/** Lets an admin of the main company choose whose serial number rules the screen shows. */
import { company } from '#features/company/companies/companies.contract.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'

export function CompanyChoice({ chosen, choose }: { chosen: string; choose: (code: string) => void }) {
  const t = useT()
  const companies = useCall(company.companies, {})
  const rows = companies.data ?? []
  if (rows.length < 2) return null
  return (
    <NativeChoice
      aria-label={t('Company')}
      data={rows.map(row => ({ value: row.is_main ? '' : row.code, label: row.name }))}
      value={chosen}
      choose={choose}
    />
  )
}
