/** The page for paths that lead nowhere. */
import { Button } from '@mantine/core'
import { Go } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { NoMatch } from '#ui/kit/illustrations.tsx'
import { Panel } from '#ui/kit/EmptyState.tsx'
import { usePageTitle } from '#ui/kit/page-title.ts'

export function NotFound() {
  const t = useT()
  usePageTitle(t('Page not found'))
  return (
    <div style={{ margin: 'auto' }}>
      <Panel
        drawing={<NoMatch />}
        title={t('There is no page here')}
        action={
          <Button component={Go} to="/" variant="default">
            {t('Go to the start')}
          </Button>
        }
      >
        {t('The address {{path}} leads nowhere. Perhaps a letter is missing, or the page was moved.', { path: location.pathname })}
      </Panel>
    </div>
  )
}
