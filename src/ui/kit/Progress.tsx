/** A job under way: how far, how long still, and a way to stop it. */
import { Progress as Bar, Button, Group, Text } from '@mantine/core'
import { duration, number } from './format.ts'
import { useT } from './translate.ts'

export interface ProgressProps {
  /** What is being done. */
  label: string
  done: number
  /** Null while it is not known yet. */
  total: number | null
  /** ISO instant at which it began, for the estimate. */
  began?: string | null
  state?: 'running' | 'done' | 'failed' | 'cancelled'
  cancel?: () => void
  cancelling?: boolean
}

export function Progress({ label, done, total, began, state = 'running', cancel, cancelling }: ProgressProps) {
  const t = useT()
  const part = total ? Math.min(1, done / total) : 0
  const elapsed = began ? (Date.now() - new Date(began).getTime()) / 1000 : 0
  const left = state === 'running' && part > 0.02 && elapsed > 10 ? (elapsed / part) * (1 - part) : null
  const color = state === 'failed' ? 'brick' : state === 'done' ? 'moss' : state === 'cancelled' ? 'gray' : undefined
  return (
    <div>
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text fw={500}>{label}</Text>
        <Text c="dimmed" size="sm" style={{ whiteSpace: 'nowrap' }}>
          {total === null ? number(done) : t('{{done}} of {{total}}', { done: number(done), total: number(total) })}
          {left !== null ? ` · ${t('about {{time}} left', { time: duration(left) })}` : ''}
        </Text>
      </Group>
      <Group gap="sm" wrap="nowrap">
        <Bar.Root size="lg" style={{ flex: 1 }}>
          <Bar.Section
            value={total === null && state === 'running' ? 100 : part * 100}
            animated={total === null && state === 'running'}
            {...(color ? { color } : {})}
            aria-label={label}
          />
        </Bar.Root>
        {cancel && state === 'running' ? (
          <Button variant="default" size="compact-sm" onClick={cancel} loading={cancelling ?? false}>
            {t('Cancel')}
          </Button>
        ) : null}
      </Group>
    </div>
  )
}
