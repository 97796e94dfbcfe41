/** The messages of an order on its page: the conversation, and a form to write. */
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { MessageComposer } from './MessageComposer.tsx'
import { messages } from './messages.contract.ts'
import { AskDrawer, OrderQuestions } from './OrderQuestions.tsx'
import { AnsweredThread } from './ReplyForm.tsx'

/** `place`: where it stands among the panels of its page on a phone. */
export default function OrderMessages({ order_id, place = 5 }: { order_id: number; place?: number }) {
  const t = useT()
  const [writing, setWriting] = useState(false)
  const [asking, setAsking] = useState(false)
  const thread = useCall(messages.thread, { id: order_id }, { live: ['message'] })
  const rows = thread.data?.rows ?? []
  return (
    <Panel
      title={t('Messages')}
      count={rows.length || null}
      place={place}
      actions={
        <Group gap="xs">
          <Button size="compact-md" variant="default" onClick={() => setAsking(true)}>
            {t('Ask customer')}
          </Button>
          <Button size="compact-md" variant="default" onClick={() => setWriting(true)}>
            {t('Write message')}
          </Button>
        </Group>
      }
    >
      <OrderQuestions order_id={order_id} />
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('No messages to this recipient yet.')}
        </Text>
      ) : (
        <AnsweredThread rows={rows} />
      )}
      <AskDrawer order_id={order_id} opened={asking} close={() => setAsking(false)} />
      <Drawer opened={writing} onClose={() => setWriting(false)} title={t('Write message')} size={640}>
        <MessageComposer to={{ orders: [order_id] }} order_id={order_id} done={() => setWriting(false)} />
      </Drawer>
    </Panel>
  )
}
