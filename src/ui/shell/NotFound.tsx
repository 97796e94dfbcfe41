/** The page for paths that lead nowhere. */
import { Button } from '@mantine/core'
import { EmptyState } from '#ui/kit/EmptyState.tsx'
import { NoMatchIllustration } from '#ui/kit/illustrations.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePageTitle } from '#ui/kit/page-title.ts'
import { useT } from '#ui/kit/translate.ts'

export function NotFound() {
  const t = useT()
  usePageTitle(t('Page not found'))
  return (
    <div style={{ margin: 'auto' }}>
      <EmptyState
        illustration={<NoMatchIllustration />}
        title={t('Page not found')}
        action={
          <Button component={Link} to="/dashboard" variant="default">
            {t('Home')}
          </Button>
        }
      >
        {t('Check the address {{path}}, or go to the start page.', { path: location.pathname })}
      </EmptyState>
    </div>
  )
}
