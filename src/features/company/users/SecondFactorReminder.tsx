/** In the top bar of a person whom the company asks for a second factor: how many days are left to set one up. */
import { IconShieldLock } from '@tabler/icons-react'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useSignedIn } from '#ui/query/session.ts'
import shell from '#ui/shell/Shell.module.css'
import { daysLeft } from './second-factors.rules.ts'

export function SecondFactorReminder() {
  const t = useT()
  const { second_factor_by } = useSignedIn().user
  if (!second_factor_by) return null
  const count = daysLeft(second_factor_by, Date.now())
  return (
    <Link to="/settings/me" className={`${shell.chip} ${shell.chipSoon}`}>
      <IconShieldLock size={16} aria-hidden />
      <span>{count === 0 ? t('Second factor: last day') : t('Second factor: {{count}} days left', { count })}</span>
    </Link>
  )
}
