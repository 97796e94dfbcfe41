/** What stands inside a toast. */
import { Button, Group, Text } from '@mantine/core'
import { useT } from '#web/translate.ts'
import { CopyButton } from '#web/ui/CopyButton.tsx'

export function Reference({ text }: { text: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      <CopyButton text={text} />
    </Group>
  )
}

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
