/** Nothing to show, of three kinds: nothing yet, nothing matches, no permission. */
import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { AccessDeniedIllustration, EmptyShelfIllustration, NoMatchIllustration } from './illustrations.tsx'
import { useT } from './translate.ts'

interface EmptyStateProps {
  illustration: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** A drawing, a sentence, perhaps a second one, perhaps something to do. */
export function EmptyState({ illustration, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center" mih={240} justify="center">
      <div style={{ color: 'var(--ink-dim)' }}>{illustration}</div>
      <Text fw={600} size="lg">
        {title}
      </Text>
      {children ? (
        <Text c="dimmed" maw={440} component="div">
          {children}
        </Text>
      ) : null}
      {action ? <div style={{ marginTop: 8 }}>{action}</div> : null}
    </Stack>
  )
}

/** There is nothing yet; `action` is what makes the first one. */
export const EmptyList = ({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) => (
  <EmptyState illustration={<EmptyShelfIllustration />} title={title} action={action}>
    {children}
  </EmptyState>
)

/** Filters or a search leave nothing. */
export function NoMatches({ clear, children }: { clear?: () => void; children?: ReactNode }) {
  const t = useT()
  return (
    <EmptyState
      illustration={<NoMatchIllustration />}
      title={t('No results')}
      action={
        clear ? (
          <Button variant="default" onClick={clear}>
            {t('Clear filters')}
          </Button>
        ) : undefined
      }
    >
      {children ?? t('No row fits the search and the filters.')}
    </EmptyState>
  )
}

/** The part exists, but not for this person; `code` is the permission that would be needed. */
export function AccessDenied({ code, children }: { code?: string; children?: ReactNode }) {
  const t = useT()
  return (
    <EmptyState illustration={<AccessDeniedIllustration />} title={t('You are not allowed to see this')}>
      {children ?? (code ? t('You do not have permission for this. Ask an administrator.', { code }) : null)}
    </EmptyState>
  )
}
