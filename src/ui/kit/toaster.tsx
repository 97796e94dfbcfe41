/** Where toasts appear, and what stands inside them. */
import { Button, Group, Text } from '@mantine/core'
import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { ErrorDetails } from './ErrorDetails.tsx'
import { useT } from './translate.ts'

/** At the left, so that no toast covers the panel that was edited. */
export const Toaster = () => <Notifications position="bottom-left" limit={3} zIndex={400} containerWidth={360} />

export const show = (toast: NotificationData): void => void notifications.show(toast)
export const hide = (id: string): void => void notifications.hide(id)

export const details = (reference: string): ReactNode => <ErrorDetails reference={reference} />

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
