/** Above a form whose mails cannot be sent yet: who sets up the account, and where. */
import { Alert } from '@mantine/core'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { Link } from './Link.tsx'
import { useT } from './translate.ts'

export function NoMailAccount() {
  const t = useT()
  const maySetUp = useIsOffered('/settings/email')
  return (
    <Alert color="amber" mb="md">
      {t('No e-mail account yet.')}{' '}
      {maySetUp ? <Link to="/settings/email">{t('Set up the e-mail account')}</Link> : t('An administrator sets up the e-mail account.')}
    </Alert>
  )
}
