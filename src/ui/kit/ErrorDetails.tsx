/** What support asks for after an error: kept behind one word, with a button that copies it. */
import { Code, Group } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'
import { useT } from './translate.ts'

export function ErrorDetails({ reference }: { reference: string }) {
  const t = useT()
  return (
    <details>
      <summary style={{ cursor: 'pointer', font: 'var(--t-small)', color: 'var(--ink-dim)' }}>{t('Details')}</summary>
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{reference}</Code>
        <CopyButton text={`${reference}\n${location.href}\n${new Date().toISOString()}`} label={t('Copy reference')} />
      </Group>
    </details>
  )
}
