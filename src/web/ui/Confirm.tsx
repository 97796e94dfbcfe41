/** Asks before what cannot be taken back: printing, sending, buying, deleting. Reversible changes use an undo toast instead. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useT } from '#web/translate.ts'

export interface Question {
  title: string
  /** What exactly happens, to which and how many. */
  body?: ReactNode
  /** The verb and the thing: "Cancel label". */
  action: string
  /** Destroys or costs: the button is brick red. */
  danger?: boolean
}

let asked: { question: Question; answer: (yes: boolean) => void } | undefined
const watchers = new Set<() => void>()
const tell = () => {
  for (const watcher of watchers) watcher()
}

/** `if (await confirm({ title: t('Cancel the label?'), action: t('Cancel label'), danger: true })) cancel.mutate({ … })` */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise(resolve => {
    asked = {
      question,
      answer: yes => {
        asked = undefined
        tell()
        resolve(yes)
      },
    }
    tell()
  })
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Stands once in the frame. */
export function ConfirmHost() {
  const t = useT()
  const open = useSyncExternalStore(watch, () => asked)
  if (!open) return null
  const { question, answer } = open
  return (
    <Modal opened onClose={() => answer(false)} title={question.title} closeButtonProps={{ 'aria-label': t('Close') }}>
      <Stack gap="lg">
        {question.body ? <Text component="div">{question.body}</Text> : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => answer(false)} data-autofocus={question.danger || undefined}>
            {t('Keep it as it is')}
          </Button>
          <Button color={question.danger ? 'brick' : undefined} onClick={() => answer(true)} data-autofocus={!question.danger || undefined}>
            {question.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
