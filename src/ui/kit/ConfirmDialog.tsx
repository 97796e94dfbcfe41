/** The dialog of a confirmation; loaded when the first question is asked. */
import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'
import { useT } from './translate.ts'

export interface Question {
  title: string
  /** What exactly happens, to which and how many. */
  body?: ReactNode
  /** The verb and the thing: "Cancel label". */
  action: string
  /** The safe button of a question that cancels something: "Keep order", because "Cancel" beside "Cancel order" is unclear. */
  keep?: string
  /** Destroys or costs: the button is brick red. */
  danger?: boolean
}

export function ConfirmDialog({ question, answer }: { question: Question; answer: (yes: boolean) => void }) {
  const t = useT()
  return (
    <Dialog opened onClose={() => answer(false)} title={question.title}>
      <Stack gap="lg">
        {question.body ? <Text component="div">{question.body}</Text> : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => answer(false)} data-autofocus={question.danger || undefined}>
            {question.keep ?? t('Cancel')}
          </Button>
          <Button color={question.danger ? 'brick' : undefined} onClick={() => answer(true)} data-autofocus={!question.danger || undefined}>
            {question.action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
