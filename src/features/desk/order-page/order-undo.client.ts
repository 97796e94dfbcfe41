/** Undoing a change of an order for ten seconds, from the toast that says it. */
import { countryId } from '#domain/countries.ts'
import { combinations } from '#features/orders/orders/combinations/combinations.contract.ts'
import { orderLines } from '#features/orders/orders/lines/order-lines.contract.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { CallError } from '#ui/query/call-error.ts'
import { send, useCommand } from '#ui/query/calls.ts'
import { holdReasonOf, isStill, type OrderChange } from './order-undo.rules.ts'

export const orderRefreshes = [orders.get, orders.search, orders.count, orders.timeline]
export const combineRefreshes = [...orderRefreshes, combinations.suggest]

/** Says what was done to the order, with a button that undoes it. */
export function useUndoToast(id: number): (sentence: string, change: OrderChange) => void {
  const t = useT()
  const undo = useCommand((change: OrderChange) => undoChange(id, change), { refreshes: orderRefreshes, said: t('The change is undone') })
  return (sentence, change) => toastWithUndo(sentence, () => undo.mutate(change))
}

async function undoChange(id: number, change: OrderChange): Promise<unknown> {
  const order = await send(orders.get, { id })
  if (!isStill(change, order)) throw new CallError(409, 'Someone changed this in the meantime. Nothing was undone.')
  switch (change.did) {
    case 'held':
      return send(orderLocks.releaseHold, { id, lock_id: change.lock_id })
    case 'pinned':
      return send(orders.unpin, { id })
    case 'unpinned':
      return send(orders.pin, { id })
    case 'method':
      return send(orders.setShipping, { id, method: change.before, version: order.version })
    case 'released':
      return setAgain(id, change.lock)
    case 'line':
      return restoreLine(change)
  }
}

/** One value after the other: each is a change of the same order. */
async function restoreLine({ item_id, before }: Extract<OrderChange, { did: 'line' }>): Promise<void> {
  if (before.hs_code) await send(orderLines.setTariff, { item_id, tariff: before.hs_code })
  if (before.origin) await send(orderLines.setOrigin, { item_id, country_id: countryId(before.origin) })
  if (before.weight_g != null) await send(orderLines.setWeight, { type: 'item', id: item_id, kg: (before.weight_g / 1_000).toFixed(3) })
}

function setAgain(id: number, lock: Extract<OrderChange, { did: 'released' }>['lock']): Promise<unknown> {
  const { kind, note, until } = lock
  if (kind === 'manual') return send(orderLocks.lock, { id, body: { note } })
  if (kind === 'auto') return send(orderLocks.lockAuto, { id, body: { condition: note, until } })
  return send(orderLocks.hold, { id, body: { reason: holdReasonOf(lock) ?? 'other', note, until } })
}
