/** Shown while the address of the sender is missing, to people who can mend it. */
import { Button } from '@mantine/core'
import { IconMapPinExclamation } from '@tabler/icons-react'
import { searchedField } from '#contract/settings-search.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import style from './Shell.module.css'

export function SenderBanner({ path }: { path: string }) {
  const t = useT()
  const offered = useOfferedScreens()
  const settings = offered.find(screen => screen.path === '/settings/company-config')
  const steps = offered.find(screen => screen.path === '/settings/first-steps')
  if (!settings || path === settings.path) return null
  // These pages name the step themselves.
  if (steps && (path === steps.path || path === '/dashboard')) return null
  return (
    <div className={`${style.banner} ${style.bannerSoon}`} role="status">
      <IconMapPinExclamation size={16} />
      <span>{t('Labels cannot be made yet: the address of the sender is not complete.')}</span>
      <Button component={Link} to={settings.path} search={{ [searchedField]: 'Address' }} size="compact-sm" variant="default">
        {t('Enter the address')}
      </Button>
      {steps ? (
        <Button component={Link} to={steps.path} size="compact-sm" variant="subtle">
          {t('All first steps')}
        </Button>
      ) : null}
    </div>
  )
}
