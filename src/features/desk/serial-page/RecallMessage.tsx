/** Writes to everyone whom a recall reaches, after number and price were confirmed. */
import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { MessageComposer } from '#features/messages/messages/MessageComposer.tsx'
import { messages } from '#features/messages/messages/messages.contract.ts'
import type { RecallMessageProps } from '#features/packing/serial-numbers/RecallForm.tsx'
import { mostRecalled } from '#features/packing/serial-numbers/serial-numbers.codes.ts'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import { useIsAllowed } from '#ui/query/session.ts'

export default function RecallMessage({ order_ids, orders }: RecallMessageProps) {
  const t = useT()
  const may = useIsAllowed(messages.send.access)
  const [writing, setWriting] = useState(false)
  const to = useMemo(() => ({ orders: [...order_ids] }), [order_ids])
  if (!may) return null
  const reason =
    orders === 0
      ? t('No serial number is found')
      : orders > mostRecalled && t('At most {{count}} orders at once: choose fewer serial numbers.', { count: mostRecalled })
  return (
    <>
      <Button variant="default" leftSection={<IconMail size={16} />} onClick={() => setWriting(true)} {...disabledBecause(reason)}>
        {t('Write message')}
      </Button>
      <Drawer opened={writing} onClose={() => setWriting(false)} title={t('Write message')} size={640}>
        <MessageComposer to={to} order_id={order_ids[0] ?? null} done={() => setWriting(false)} />
      </Drawer>
    </>
  )
}
