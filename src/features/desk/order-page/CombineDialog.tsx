/** Several orders side by side before they go in one parcel. It is loaded when somebody wants to combine. */

import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { combinations } from '#features/orders/orders/combinations/combinations.contract.ts'
import type { CombinationPreview, PreviewedOrder } from '#features/orders/orders/combinations/combinations.schemas.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { instant, number, weight } from '#ui/kit/format.ts'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCommand, useSend } from '#ui/query/calls.ts'
import { CombineSavings } from './CombineSavings.tsx'
import style from './OrderPage.module.css'
import { combineRefreshes } from './order-undo.client.ts'

export default function CombineDialog({ orders, close, done }: { orders: readonly number[]; close: () => void; done?: () => void }) {
  const t = useT()
  const [ids, setIds] = useState(orders)
  const [preview, setPreview] = useState<CombinationPreview | null>(null)
  const look = useCommand((wanted: readonly number[]) => send(combinations.preview, { body: { orders: [...wanted] } }), {
    done: setPreview,
  })
  const undo = useSend(combinations.undo, { refreshes: combineRefreshes, said: t('The orders go by themselves again') })
  const { mutate } = look
  useEffect(() => mutate(ids), [ids, mutate])
  const combine = useSend(combinations.combine, {
    refreshes: combineRefreshes,
    done: lead => {
      close()
      done?.()
      toastWithUndo(t('Combined into {{order_no}}', { order_no: lead.order_no }), () => undo.mutate({ id: lead.id }))
    },
  })
  const left = preview?.orders.filter(order => order.refusal === null) ?? []
  const why =
    preview === null
      ? !look.error && t('Looking at the orders …')
      : !preview.possible && t('Leave out the orders that cannot go along: two or more must remain')
  return (
    <Dialog opened size={720} onClose={close} title={t('Combine orders into one parcel')}>
      <Stack>
        <Text>{t('They are picked and packed as one. Each order keeps its number, and its shop learns the tracking number.')}</Text>
        {look.error ? <Alert color="brick">{look.error.message}</Alert> : null}
        {preview === null && !look.error ? <Text c="dimmed">{t('Looking at the orders …')}</Text> : null}
        {preview?.orders.map(order => (
          <ComparedOrder key={order.id} order={order} leaveOut={ids.length > 2 ? () => setIds(ids.filter(id => id !== order.id)) : null} />
        ))}
        {preview?.possible ? (
          <div>
            <Text fw={500}>
              {t('One parcel instead of {{parcels}}: {{items}} items, {{weight}}', {
                parcels: preview.orders.length,
                items: number(preview.item_count),
                weight: weight(preview.weight_g),
              })}
            </Text>
            <CombineSavings orders={ids} />
          </div>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Keep them as they are')}
          </Button>
          <Button
            loading={combine.isPending}
            {...disabledBecause(why)}
            onClick={() =>
              combine.mutate(
                { body: { orders: left.map(({ id, version }) => ({ id, version })) } },
                // What changed meanwhile is shown, so that it can be left out.
                { onError: () => mutate(ids) },
              )
            }
          >
            {t('Combine {{orders}} orders', { orders: ids.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function ComparedOrder({ order, leaveOut }: { order: PreviewedOrder; leaveOut: (() => void) | null }) {
  const t = useT()
  return (
    <section aria-label={order.order_no} className={style.compared}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{order.order_no}</Text>
          {order.is_lead ? <StateBadge tone="plain">{t('Carries parcel')}</StateBadge> : null}
        </Group>
        {order.refusal && leaveOut ? (
          <Button size="compact-sm" variant="default" onClick={leaveOut}>
            {t('Leave out {{number}}', { number: order.order_no })}
          </Button>
        ) : null}
      </Group>
      {order.refusal ? <Alert color="brick">{t(order.refusal.text, order.refusal.values)}</Alert> : null}
      <Text>{[order.recipient, ...order.address].join(', ')}</Text>
      <div className={style.lineMore}>
        {order.contact.map(one => (
          <span key={one}>{one}</span>
        ))}
        {order.method ? <span>{order.method}</span> : null}
        <span>{t('Ordered {{when}}', { when: instant(order.ordered_at) })}</span>
        {order.ship_by ? <span>{t('Ship by {{when}}', { when: instant(order.ship_by) })}</span> : null}
        <span>{weight(order.weight_g)}</span>
      </div>
      <ul className={style.comparedLines}>
        {order.lines.map(line => (
          <li key={line.order_item_id}>{`${number(line.qty)} × ${line.name}`}</li>
        ))}
      </ul>
      {order.notes.length > 0 ? (
        <Text c="dimmed" className={style.comparedNotes}>
          {order.notes.join('\n')}
        </Text>
      ) : null}
    </section>
  )
}
