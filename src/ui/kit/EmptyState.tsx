/** Nothing to show, of three kinds: nothing yet, nothing matches, no permission. */
import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from './translate.ts'
import { Door, NoMatch, Shelf } from './illustrations.tsx'

interface PanelProps {
  drawing: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** A drawing, a sentence, perhaps a second one, perhaps something to do. */
export function Panel({ drawing, title, children, action }: PanelProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center" mih={240} justify="center">
      <div style={{ color: 'var(--ink-dim)' }}>{drawing}</div>
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
export const NothingYet = ({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) => (
  <Panel drawing={<Shelf />} title={title} action={action}>
    {children}
  </Panel>
)

/** Filters or a search leave nothing. */
export function NothingMatches({ clear, children }: { clear?: () => void; children?: ReactNode }) {
  const t = useT()
  return (
    <Panel
      drawing={<NoMatch />}
      title={t('Nothing matches')}
      action={
        clear ? (
          <Button variant="default" onClick={clear}>
            {t('Clear filters')}
          </Button>
        ) : undefined
      }
    >
      {children ?? t('No row fits the search and the filters.')}
    </Panel>
  )
}

/** The part exists, but not for this person; `code` is the permission that would be needed. */
export function Refused({ code, children }: { code?: string; children?: ReactNode }) {
  const t = useT()
  return (
    <Panel drawing={<Door />} title={t('You are not allowed to see this')}>
      {children ?? (code ? t('It needs the permission {{code}}. An administrator of users can give it.', { code }) : null)}
    </Panel>
  )
}
