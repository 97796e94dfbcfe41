/** The dialog that asks why an order must not go out, and until when. It is loaded when somebody holds an order. */
import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { among, isText, objectOf } from '#domain/guards.ts'
import { reasonWord } from '#features/orders/orders/locks/hold-reasons.client.ts'
import { holdReasons } from '#features/orders/orders/locks/order-locks.codes.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import type { OrderLock } from '#features/orders/orders/locks/order-locks.schemas.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { type DraftShape, useDraft } from '#ui/kit/drafts.ts'
import { instantOf } from '#ui/kit/format.ts'
import { LocalTimeInput } from '#ui/kit/LocalTimeInput.tsx'
import { submitKey } from '#ui/kit/submit-key.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import type { HoldKind } from './OrderHolds.tsx'
import { orderRefreshes, useUndoToast } from './order-undo.client.ts'

/** `until` as it was written, by the company's clock. */
interface Half {
  note: string
  reason: (typeof holdReasons)[number]
  until: string
}
const half: DraftShape<Half> = {
  empty: { note: '', reason: 'customer', until: '' },
  fits: objectOf<Half>({ note: isText, reason: among(holdReasons), until: isText }),
}

export default function OrderHoldDialog({ order, kind, close }: { order: Order; kind: HoldKind; close: () => void }) {
  const t = useT()
  const draft = useDraft(`order ${order.id} ${kind}`, half)
  const undoToast = useUndoToast(order.id)
  const { note, reason, until } = draft.value
  const write = (change: Partial<Half>) => draft.set({ ...draft.value, ...change })
  const drop = () => {
    draft.forget()
    close()
  }
  const isHold = kind === 'hold' || kind === 'hold_until'
  const done = ({ lock_id }: OrderLock) => {
    drop()
    undoToast(isHold ? t('The order is on hold') : t('The order is locked'), { did: 'held', lock_id })
  }
  const lock = useSend(orderLocks.lock, { refreshes: orderRefreshes, done })
  const lockAuto = useSend(orderLocks.lockAuto, { refreshes: orderRefreshes, done })
  const hold = useSend(orderLocks.hold, { refreshes: orderRefreshes, done })
  const at = instantOf(until)
  const titles = {
    lock: t('Lock order'),
    hold: t('Put order on hold'),
    hold_until: t('Put order on hold'),
    wait: t('Lock until a condition is met'),
  }
  return (
    <Dialog opened onClose={close} title={titles[kind]}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (kind === 'lock') lock.mutate({ id: order.id, body: { note } })
          else if (kind === 'wait') lockAuto.mutate({ id: order.id, body: { condition: note, until: at } })
          else hold.mutate({ id: order.id, body: { reason, note, until: kind === 'hold_until' ? at : null } })
        }}
      >
        <Stack>
          <Text>{t('No one can pack or send it. If it is being packed, packing stops immediately.')}</Text>
          {isHold ? (
            <Select
              label={t('Reason')}
              data={holdReasons.map(value => ({ value, label: reasonWord(value) }))}
              value={reason}
              onChange={value => value && write({ reason: value })}
            />
          ) : null}
          <Textarea
            label={kind === 'wait' ? t('What it waits for') : t('Why')}
            autosize
            minRows={2}
            maxLength={2_000}
            required={kind === 'wait'}
            value={note}
            onChange={event => write({ note: event.currentTarget.value })}
            onKeyDown={submitKey}
            data-autofocus
          />
          {kind === 'hold_until' || kind === 'wait' ? (
            <LocalTimeInput
              label={t('Until')}
              description={
                kind === 'wait'
                  ? t('It is released automatically at this time. Empty: a person releases it.')
                  : t('It is released automatically at this time.')
              }
              required={kind === 'hold_until'}
              value={until}
              onChange={event => write({ until: event.currentTarget.value })}
            />
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={drop}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={lock.isPending || lockAuto.isPending || hold.isPending}>
              {titles[kind]}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
