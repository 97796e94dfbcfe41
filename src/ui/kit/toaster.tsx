/** Where toasts appear, and what stands inside them. */
import { Button, Group, Text } from '@mantine/core'
import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton.tsx'
import { useT } from './translate.ts'

export const Toaster = () => <Notifications position="bottom-right" limit={3} zIndex={400} />

export const show = (toast: NotificationData): void => void notifications.show(toast)
export const hide = (id: string): void => void notifications.hide(id)

export const reference = (text: string): ReactNode => (
  <Group gap={4} wrap="nowrap">
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
    <CopyButton text={text} />
  </Group>
)

export function UndoButton({ sentence, undo }: { sentence: string; undo: () => void }) {
  const t = useT()
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm">{sentence}</Text>
      <Button size="compact-sm" variant="default" onClick={undo}>
        {t('Undo')}
      </Button>
    </Group>
  )
}
