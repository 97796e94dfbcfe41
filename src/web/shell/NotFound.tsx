/** The page for paths that lead nowhere. */
import { Button } from '@mantine/core'
import { Go } from '#web/Go.tsx'
import { useT } from '#web/translate.ts'
import { NoMatch } from '#web/ui/drawings.tsx'
import { Panel } from '#web/ui/Empty.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'

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
