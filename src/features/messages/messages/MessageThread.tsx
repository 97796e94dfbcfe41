/** Messages in both directions as a conversation, with what can be done about each. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { orderQuestions } from '#features/messages/decision-links/decision-links.contract.ts'
import { channelWords, triggerWords } from '#features/messages/templates/template.labels.ts'
import { instant } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import style from './Messages.module.css'
import { MessageBadge, priceWord, reasonWord } from './message.labels.tsx'
import { messages } from './messages.contract.ts'
import type { Message } from './messages.schemas.ts'

/** What is read again when a message changes. */
export const messageRefreshes = [
  orderQuestions.list,
  messages.list,
  messages.count,
  messages.thread,
  messages.customerThread,
  messages.groups,
  messages.group,
]

interface MessageThreadProps {
  rows: readonly Message[]
  reply?: (message: Message) => void
  /** Several orders: each message names its own. */
  withOrders?: boolean
}

export function MessageThread({ rows, reply, withOrders = false }: MessageThreadProps) {
  return (
    <Stack gap="sm">
      {rows.map(message => (
        <Bubble key={message.id} message={message} withOrder={withOrders} {...(reply && { reply: () => reply(message) })} />
      ))}
    </Stack>
  )
}

function Bubble({ message, withOrder, reply }: { message: Message; withOrder: boolean; reply?: () => void }) {
  const t = useT()
  const options = { refreshes: messageRefreshes }
  const cancel = useSend(messages.cancel, { ...options, said: t('Message cancelled') })
  const settle = useSend(messages.settle, { ...options, said: t('Message saved') })
  const handle = useSend(messages.handle, { ...options, said: t('Marked as seen to') })
  const { id, state, direction } = message
  const who = direction === 'in' ? message.name || message.address : message.actor || t(triggerWords[message.trigger])
  const reason = reasonWord(t, message.reason)
  const price = message.price_micro && message.currency !== null && message.sent_at ? priceWord(message.price_micro, message.currency) : ''
  return (
    <div className={direction === 'in' ? style.incoming : style.outgoing}>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {withOrder && message.order_id !== null ? (
            <>
              <Link to="/parcels/orders" search={{ id: message.order_id }}>
                {message.order_no ?? message.order_id}
              </Link>
              {' · '}
            </>
          ) : null}
          {[who, t(channelWords[message.channel]), instant(message.sent_at ?? message.created_at), price].filter(Boolean).join(' · ')}
        </Text>
        <MessageBadge of={message} />
      </Group>
      {message.subject ? <Text fw={600}>{message.subject}</Text> : null}
      <div className={style.words}>{message.text || (message.address === '' && state !== 'skipped' ? t('The text is deleted.') : '')}</div>
      {reason ? (
        <Text size="sm" c="dimmed">
          {reason}
          {message.answer ? ` (${message.answer})` : ''}
        </Text>
      ) : null}
      {state === 'queued' ? (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t('Sent from {{time}}', { time: instant(message.send_after) })}
          </Text>
          <Button size="compact-sm" variant="subtle" color="brick" loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
            {t('Cancel message')}
          </Button>
        </Group>
      ) : null}
      {state === 'unknown' || state === 'failed' || state === 'expired' ? (
        <Group gap="xs">
          {state === 'unknown' ? (
            <Button
              size="compact-sm"
              variant="default"
              loading={settle.isPending}
              onClick={() => settle.mutate({ id, body: { sent: true } })}
            >
              {t('Mark as sent')}
            </Button>
          ) : null}
          <Button
            size="compact-sm"
            variant="default"
            loading={settle.isPending}
            onClick={() => settle.mutate({ id, body: { sent: false } })}
          >
            {t('Send again')}
          </Button>
        </Group>
      ) : null}
      {direction === 'in' && message.handled_at === null ? (
        <Group gap="xs">
          {reply ? (
            <Button size="compact-sm" variant="default" onClick={reply}>
              {t('Reply')}
            </Button>
          ) : null}
          <Button size="compact-sm" variant="subtle" loading={handle.isPending} onClick={() => handle.mutate({ id })}>
            {t('Mark as seen to')}
          </Button>
        </Group>
      ) : null}
    </div>
  )
}
