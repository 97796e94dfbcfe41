/** By when an order leaves, with which pickup, and setting another date by hand. */

import { ActionIcon, Button, Group, Stack, Text, Textarea, TextInput, Tooltip } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { orderDeadlines } from '#features/orders/orders/deadlines/order-deadlines.contract.ts'
import { Deadline } from '#features/orders/orders/order.labels.tsx'
import { duePhases } from '#features/orders/orders/orders.rules.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { instantOf, localOf, otherZone } from '#ui/kit/format.ts'
import { submitKey } from '#ui/kit/submit-key.ts'
import { t as say, useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './OrderPage.module.css'
import { orderRefreshes } from './order-undo.client.ts'

const sourceWords = (source: Order['ship_by_source']): string =>
  source === 'manual'
    ? say('Set by hand')
    : source === 'shop'
      ? say('Promised by the shop')
      : source === 'deadline'
        ? say('By the deadline')
        : say('By the cut-off of the company')

export function OrderShipBy({ order }: { order: Order }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const allowed = useIsAllowed(orderDeadlines.setShipBy.access)
  const changeable = allowed && isOneOf(duePhases, order.phase)
  return (
    <span className={style.pair}>
      <Tooltip label={sourceWords(order.ship_by_source)}>
        <span>
          <Deadline at={order.ship_by} phase={order.phase} />
        </span>
      </Tooltip>
      {changeable ? (
        <ActionIcon size="sm" variant="subtle" aria-label={t('Change ship-by date')} onClick={() => setOpen(true)}>
          <IconPencil size={16} />
        </ActionIcon>
      ) : null}
      {open ? <ShipByDialog order={order} close={() => setOpen(false)} /> : null}
    </span>
  )
}

function ShipByDialog({ order, close }: { order: Order; close: () => void }) {
  const t = useT()
  const [at, setAt] = useState(order.ship_by === null ? '' : localOf(order.ship_by))
  const [reason, setReason] = useState('')
  const set = useSend(orderDeadlines.setShipBy, { refreshes: orderRefreshes, said: t('Ship-by date changed'), done: close })
  const ship_by = instantOf(at)
  const zone = otherZone()
  const send = (date: string | null) => set.mutate({ id: order.id, body: { ship_by: date, reason, version: order.version } })
  return (
    <Dialog opened onClose={close} title={t('Change ship-by date')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (ship_by !== null) send(ship_by)
        }}
      >
        <Stack>
          <Text>
            {sourceWords(order.ship_by_source)}. {t('A date set by hand is not changed by any rule.')}
          </Text>
          <TextInput
            type="datetime-local"
            label={t('Ship by')}
            description={zone === null ? undefined : t('Enter it by the company’s clock: {{zone}}.', { zone })}
            required
            value={at}
            onChange={event => setAt(event.currentTarget.value)}
            data-autofocus
          />
          <Textarea
            label={t('Why')}
            required
            autosize
            minRows={2}
            maxLength={200}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            onKeyDown={submitKey}
          />
          <Group justify="flex-end">
            {order.ship_by_source === 'manual' ? (
              <Button
                variant="default"
                {...disabledBecause(reason.trim() === '' && t('Enter a reason first'))}
                loading={set.isPending}
                onClick={() => send(null)}
              >
                {t('Back to the rules')}
              </Button>
            ) : null}
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              {...disabledBecause((ship_by === null || reason.trim() === '') && t('Fill in all fields first'))}
              loading={set.isPending}
            >
              {t('Change date')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
