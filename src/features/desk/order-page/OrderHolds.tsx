/** What stops an order: setting a hold or lock by one split button, what stands, and releasing it. */

import { Button, Menu } from '@mantine/core'
import { IconCalendarClock, IconChevronDown, IconHandStop, IconHourglass, IconLock } from '@tabler/icons-react'
import { reasonWord } from '#features/orders/orders/locks/hold-reasons.client.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import type { OrderLock } from '#features/orders/orders/locks/order-locks.schemas.ts'
import { actionOf } from '#features/orders/orders/order.labels.tsx'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { actorName } from '#ui/kit/actor.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { MenuAction } from '#ui/kit/MenuAction.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCommand } from '#ui/query/calls.ts'
import style from './OrderPage.module.css'
import { orderRefreshes, useUndoToast } from './order-undo.client.ts'
import { canSetAgain } from './order-undo.rules.ts'
import { whyNot } from './why-not.client.ts'

/** `hold` and `hold_until` name a reason; `lock` has none; `wait` is a lock that waits for a condition. */
export type HoldKind = 'hold' | 'hold_until' | 'lock' | 'wait'

interface HoldProps {
  order: Order
  ask: (kind: HoldKind) => void
}

/** The items of the menu behind the split button, and of the menu of a phone. */
export function HoldItems({ order, ask, first }: HoldProps & { first: boolean }) {
  const t = useT()
  const hold = actionOf(order, 'hold')
  const lock = actionOf(order, 'lock')
  const waits = order.locks.some(one => one.kind === 'auto')
  const why = whyNot(hold)
  return (
    <>
      {first ? (
        <MenuAction why={why} leftSection={<IconHandStop size={16} />} onClick={() => ask('hold')}>
          {t('Hold')}
        </MenuAction>
      ) : null}
      <MenuAction why={why} leftSection={<IconCalendarClock size={16} />} onClick={() => ask('hold_until')}>
        {t('Hold until…')}
      </MenuAction>
      <MenuAction why={whyNot(lock)} leftSection={<IconLock size={16} />} onClick={() => ask('lock')}>
        {t('Lock')}
      </MenuAction>
      <MenuAction
        why={why ?? (waits && t('The order waits for a condition already'))}
        leftSection={<IconHourglass size={16} />}
        onClick={() => ask('wait')}
      >
        {t('Lock until a condition is met')}
      </MenuAction>
    </>
  )
}

export function HoldButton({ order, ask }: HoldProps) {
  const t = useT()
  const hold = actionOf(order, 'hold')
  const why = disabledBecause(whyNot(hold))
  return (
    <Button.Group>
      <Button variant="default" leftSection={<IconHandStop size={16} />} {...why} onClick={() => ask('hold')}>
        {t('Hold')}
      </Button>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button variant="default" px="xs" aria-label={t('More ways to hold')} {...why}>
            <IconChevronDown size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <HoldItems order={order} ask={ask} first={false} />
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}

/** Releases one of the things that stop the order; for ten seconds it can be set again. */
export function useRelease(order: Order) {
  const t = useT()
  const undoToast = useUndoToast(order.id)
  const release = useCommand((lock: OrderLock) => send(orderLocks.releaseHold, { id: order.id, lock_id: lock.lock_id }), {
    refreshes: orderRefreshes,
    done: (_answer, lock) => {
      const sentence = lock.kind === 'hold' ? t('Hold released') : t('The order is unlocked')
      if (canSetAgain(lock)) undoToast(sentence, { did: 'released', lock })
      else toastSuccess(sentence)
    },
  })
  return { releasing: release.isPending, release: release.mutate }
}

/** What stops the order, who set it and until when, in one line. */
export function LockSentence({ lock }: { lock: OrderLock }) {
  const t = useT()
  const title =
    lock.kind === 'manual'
      ? t('Locked')
      : lock.kind === 'auto'
        ? t('Locked until a condition is met')
        : lock.reason === 'shop'
          ? reasonWord('shop')
          : t('On hold: {{reason}}', { reason: reasonWord(lock.reason ?? 'other') })
  return (
    <>
      <strong>{title}</strong>{' '}
      <span className={style.by}>
        {actorName(t, lock.actor)}, <RelativeTime at={lock.created_at} />
        {lock.until ? (
          <>
            {' – '}
            {t('until')} <RelativeTime at={lock.until} />
          </>
        ) : null}
      </span>
      {lock.note ? <div className={style.comment}>{lock.note}</div> : null}
    </>
  )
}

export function ReleaseButton({ order, lock }: { order: Order; lock: OrderLock }) {
  const t = useT()
  const { release, releasing } = useRelease(order)
  return (
    <Button
      size="compact-md"
      variant="default"
      {...disabledBecause(!lock.may_release && t('You do not have permission to release this hold. Ask a lead.'))}
      loading={releasing}
      onClick={() => release(lock)}
    >
      {lock.kind === 'hold' ? t('Release hold') : t('Unlock')}
    </Button>
  )
}

/** Every hold and lock, where there are several: the strip shows the newest. */
export function OrderLocks({ order }: { order: Order }) {
  const t = useT()
  if (order.locks.length < 2) return null
  return (
    <Panel title={t('Locks and holds')} count={order.locks.length} flush place={3}>
      {order.locks.map(lock => (
        <div key={lock.lock_id} className={style.row}>
          <div>
            <LockSentence lock={lock} />
          </div>
          <div>
            <ReleaseButton order={order} lock={lock} />
          </div>
        </div>
      ))}
    </Panel>
  )
}
