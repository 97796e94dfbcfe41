/** What keeps the order in the warehouse – locks and holds – and the doors to set and release them. */
import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { among, isText, objectOf } from '#domain/guards.ts'
import { holdReasons } from '#features/orders/orders/locks/order-locks.codes.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import type { OrderLock } from '#features/orders/orders/locks/order-locks.schemas.ts'
import { actionOf } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { type DraftShape, useDraft } from '#ui/kit/drafts.ts'
import { instantOf } from '#ui/kit/format.ts'
import { LocalTimeInput } from '#ui/kit/LocalTimeInput.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { submitKey } from '#ui/kit/submit-key.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import style from './OrderPage.module.css'

const refreshes = [orders.get, orders.search, orders.count, orders.timeline]

const useReasonWord = () => {
  const t = useT()
  const words: Record<string, string> = {
    address: t('Address'),
    customer: t('Customer'),
    payment: t('Payment'),
    fraud: t('Fraud'),
    stock: t('Stock'),
    cancel_requested: t('Cancellation requested'),
    other: t('Other reason'),
    shop: t('On hold by the shop'),
    no_address: t('The order came without an address'),
  }
  return (reason: string) => words[reason] ?? reason
}

export function OrderStops({ order }: { order: Order }) {
  const t = useT()
  const [asking, setAsking] = useState<'lock' | 'hold' | 'auto' | null>(null)
  const lock = actionOf(order, 'lock')
  const hold = actionOf(order, 'hold')
  const stopped = order.locks.length > 0
  const why = hold.reason ? t(hold.reason, hold.values) : undefined
  return (
    <section className={`${style.panel} ${stopped ? style.stopPanel : ''}`} aria-label={t('Locks and holds')}>
      <div className={style.panelHead}>
        <h2>{stopped ? t('Must not go out now') : t('Locks and holds')}</h2>
        <Group gap={4}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconLock size={16} />}
            disabled={!lock.allowed}
            title={lock.reason ? t(lock.reason, lock.values) : undefined}
            onClick={() => setAsking('lock')}
          >
            {t('Lock')}
          </Button>
          <Button size="compact-sm" variant="default" disabled={!hold.allowed} title={why} onClick={() => setAsking('hold')}>
            {t('Hold')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={!hold.allowed || order.locks.some(one => one.kind === 'auto')}
            title={why}
            onClick={() => setAsking('auto')}
          >
            {t('Lock until')}
          </Button>
        </Group>
      </div>
      {order.locks.map(one => (
        <Stop key={one.lock_id} order={order} lock={one} />
      ))}
      {stopped ? null : (
        <div className={style.panelBody}>
          <Text c="dimmed" size="sm">
            {t('Nothing keeps this order in the warehouse.')}
          </Text>
        </div>
      )}
      {asking ? <StopDialog order={order} kind={asking} close={() => setAsking(null)} /> : null}
    </section>
  )
}

function Stop({ order, lock }: { order: Order; lock: OrderLock }) {
  const t = useT()
  const reasonWord = useReasonWord()
  const unlock = useSend(orderLocks.unlock, { refreshes, said: t('The order is unlocked') })
  const unlockAuto = useSend(orderLocks.unlockAuto, { refreshes, said: t('The order is unlocked') })
  const release = useSend(orderLocks.releaseHold, { refreshes, said: t('Hold released') })
  const run = () =>
    lock.kind === 'manual'
      ? unlock.mutate({ id: order.id })
      : lock.kind === 'auto'
        ? unlockAuto.mutate({ id: order.id })
        : release.mutate({ id: order.id, lock_id: lock.lock_id })
  const title =
    lock.kind === 'manual'
      ? t('Locked')
      : lock.kind === 'auto'
        ? t('Locked until a condition is met')
        : t('On hold: {{reason}}', { reason: reasonWord(lock.reason ?? 'other') })
  return (
    <div className={style.row}>
      <div className={style.rowHead}>
        <Text fw={600}>{title}</Text>
        <Button
          size="compact-sm"
          variant="default"
          disabled={!lock.may_release}
          title={lock.may_release ? undefined : t('You do not have permission to release this hold. Ask a lead.')}
          loading={unlock.isPending || unlockAuto.isPending || release.isPending}
          onClick={run}
        >
          {lock.kind === 'hold' ? t('Release hold') : t('Unlock')}
        </Button>
      </div>
      {lock.note ? <div className={style.comment}>{lock.note}</div> : null}
      <div className={style.by}>
        {lock.actor}, <RelativeTime at={lock.created_at} />
        {lock.until ? (
          <>
            {' – '}
            {t('until')} <RelativeTime at={lock.until} />
          </>
        ) : null}
      </div>
    </div>
  )
}

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

function StopDialog({ order, kind, close }: { order: Order; kind: 'lock' | 'hold' | 'auto'; close: () => void }) {
  const t = useT()
  const reasonWord = useReasonWord()
  const draft = useDraft(`order ${order.id} ${kind}`, half)
  const { note, reason, until } = draft.value
  const write = (change: Partial<Half>) => draft.set({ ...draft.value, ...change })
  const drop = () => {
    draft.forget()
    close()
  }
  const lock = useSend(orderLocks.lock, { refreshes, done: drop })
  const lockAuto = useSend(orderLocks.lockAuto, { refreshes, done: drop })
  const hold = useSend(orderLocks.hold, { refreshes, done: drop })
  const at = instantOf(until)
  const titles = { lock: t('Lock order'), hold: t('Put order on hold'), auto: t('Lock until a condition is met') }
  return (
    <Dialog opened onClose={close} title={titles[kind]}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (kind === 'lock') lock.mutate({ id: order.id, body: { note } })
          else if (kind === 'hold') hold.mutate({ id: order.id, body: { reason, note, until: at } })
          else lockAuto.mutate({ id: order.id, body: { condition: note, until: at } })
        }}
      >
        <Stack>
          <Text>{t('No one can pack or send it. If it is being packed, packing stops immediately.')}</Text>
          {kind === 'hold' ? (
            <Select
              label={t('Reason')}
              allowDeselect={false}
              data={holdReasons.map(value => ({ value, label: reasonWord(value) }))}
              value={reason}
              onChange={value => value && write({ reason: value })}
            />
          ) : null}
          <Textarea
            label={kind === 'auto' ? t('What it waits for') : t('Why')}
            autosize
            minRows={2}
            maxLength={2_000}
            required={kind === 'auto'}
            value={note}
            onChange={event => write({ note: event.currentTarget.value })}
            onKeyDown={submitKey}
            data-autofocus
          />
          {kind === 'lock' ? null : (
            <LocalTimeInput
              label={t('Until')}
              description={t('It is released automatically at this time. Empty: a person releases it.')}
              value={until}
              onChange={event => write({ until: event.currentTarget.value })}
            />
          )}
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
