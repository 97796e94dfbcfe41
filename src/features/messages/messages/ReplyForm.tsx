/** An answer to one message, on the way it came. */
import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { submitKey } from '#ui/kit/submit-key.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { MessageThread, messageRefreshes } from './MessageThread.tsx'
import { messages } from './messages.contract.ts'
import type { Message } from './messages.schemas.ts'

export function ReplyForm({ to, done }: { to: Message; done: () => void }) {
  const t = useT()
  const [text, setText] = useState('')
  // The same for each attempt: an answer that arrives twice is sent once.
  const client_id = useRef(crypto.randomUUID())
  const reply = useSend(messages.reply, { refreshes: messageRefreshes, said: t('Message queued'), done })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (text.trim() !== '') reply.mutate({ body: { message_id: to.id, text, client_id: client_id.current } })
      }}
    >
      <Stack gap="xs">
        <Textarea
          label={t('Answer')}
          data-autofocus
          autosize
          minRows={3}
          maxLength={1_600}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          onKeyDown={submitKey}
        />
        <Group justify="end" gap="xs">
          <Button variant="default" onClick={done}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={reply.isPending} {...disabledBecause(text.trim() === '' && t('Enter a text first'))}>
            {t('Send answer')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** A thread with the answer form at the message that is answered. */
export function AnsweredThread({ rows, withOrders = false }: { rows: readonly Message[]; withOrders?: boolean }) {
  const [to, setTo] = useState<Message | null>(null)
  return (
    <Stack gap="md">
      <MessageThread rows={rows} reply={setTo} withOrders={withOrders} />
      {to ? <ReplyForm key={to.id} to={to} done={() => setTo(null)} /> : null}
    </Stack>
  )
}
