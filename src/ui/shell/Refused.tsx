/** The page for a link that the visitor's role does not open. */
import { Button } from '@mantine/core'
import { EmptyState } from '#ui/kit/EmptyState.tsx'
import { AccessDeniedIllustration } from '#ui/kit/illustrations.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { Screen } from '#ui/navigation/screen.ts'

export function Refused({ screen }: { screen: Screen }) {
  const t = useT()
  return (
    <EmptyState
      illustration={<AccessDeniedIllustration />}
      title={t('Your role has no access to {{page}}', { page: t(screen.title) })}
      action={
        <Button component={Link} to="/dashboard" variant="default">
          {t('Home')}
        </Button>
      }
    >
      {t('Ask an administrator of your company for access.')}
    </EmptyState>
  )
}
