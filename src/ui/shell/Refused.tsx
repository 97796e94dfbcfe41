/** The page for a link that the visitor's role does not open. */
import { Button } from '@mantine/core'
import { session } from '#contract/session.ts'
import { EmptyState } from '#ui/kit/EmptyState.tsx'
import { eitherOf } from '#ui/kit/format.ts'
import { AccessDeniedIllustration } from '#ui/kit/illustrations.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { Screen } from '#ui/navigation/screen.ts'
import { useCall } from '#ui/query/calls.ts'

export function Refused({ screen }: { screen: Screen }) {
  const t = useT()
  const { data } = useCall(session.admins, {}, { fresh: 60_000 })
  const names = data?.names ?? []
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
      {names.length > 0
        ? t('Ask {{names}} for access.', { names: eitherOf(names) })
        : t('Ask an administrator of your company for access.')}
    </EmptyState>
  )
}
