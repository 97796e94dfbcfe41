/** Locks and holds: setting them stops station and picker at once, releasing them lets the order go on. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { orderFacts, takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { whyNot } from '#features/orders/orders/orders.rules.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { type Context, implement, type Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import {
  addLock,
  asLock,
  dueLocks,
  endLock,
  type LockKind,
  mustMayRelease,
  type NewLock,
  openLocks,
  orderToStop,
} from './order-locks.commands.ts'
import { orderLocks } from './order-locks.contract.ts'
import { type OrderLock, orderLocksSchemas } from './order-locks.schemas.ts'

export const orderLocksServer = implement(orderLocks, orderLocksSchemas, {
  get: ({ id }, context) => lockOf(context, id, 'manual'),
  getAuto: ({ id }, context) => lockOf(context, id, 'auto'),

  lock: ({ id, body }, context) => put(context, id, 'lock', { kind: 'manual', note: body.note }),
  lockAuto: ({ id, body }, context) =>
    put(context, id, 'hold', {
      kind: 'auto',
      note: body.condition,
      until: ahead(body.until, context.now()),
      body: { condition: body.condition },
    }),
  hold: ({ id, body }, context) =>
    put(context, id, 'hold', { kind: 'hold', reason: body.reason, note: body.note, until: ahead(body.until, context.now()) }),

  unlock: ({ id }, context) => take(context, id, lock => lock.kind === 'manual', 'The order is not locked'),
  unlockAuto: ({ id }, context) => take(context, id, lock => lock.kind === 'auto', 'The order is not locked'),
  releaseHold: ({ id, lock_id }, context) => take(context, id, lock => lock.lock_id === lock_id, 'This was released already'),
})

async function lockOf({ db, principal }: Context, id: number, kind: LockKind): Promise<{ lock: OrderLock | null }> {
  orNotFound(await orderFacts(db, id), 'order_not_found', 'Order not found')
  const lock = (await openLocks(db, id)).find(one => one.kind === kind)
  return { lock: lock ? asLock(lock, principal.permissions) : null }
}

async function put(context: Context, id: number, action: 'lock' | 'hold', lock: Omit<NewLock, 'by'>): Promise<OrderLock> {
  const { db, principal } = context
  const order = await orderToStop(db, id)
  const why = whyNot(action === 'lock' ? 'hold' : action, order, principal.permissions)
  if (why) throw conflict(why.code, why.text, why.values)
  return asLock(await addLock(context, order, { ...lock, by: principal }), principal.permissions)
}

async function take(context: Context, id: number, meant: (lock: Omit<OrderLock, 'may_release'>) => boolean, absent: string): Promise<void> {
  const { db, principal, now } = context
  const order = await orderToStop(db, id)
  const lock = (await openLocks(db, id)).find(meant)
  if (!lock) throw conflict('hold_not_found', absent)
  mustMayRelease(lock, principal.permissions)
  await endLock(context, order, lock, { by: principal.id, now: now() })
}

function ahead(until: string | null, now: Date): string | null {
  if (until === null) return null
  if (Date.parse(until) <= now.getTime())
    throw unprocessable('time_passed', 'This time has passed already', {}, { fields: { until: 'This time has passed already' } })
  return new Date(until).toISOString()
}

/** Releases what was set until a time. */
export const releaseDueLocks: ScheduledTask = {
  name: 'release locks whose time has come',
  seconds: 15,
  run: services => releaseDue(services),
}

export async function releaseDue(services: Services): Promise<void> {
  const due = await services.database.systemTransaction('the clock knows no tenant', db => dueLocks(db, services.now()))
  for (const { operator_id, company_id, ...lock } of due) {
    await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(async context => {
      const order = await takeOrder(context.db, lock.order_id)
      if (!order || !(await openLocks(context.db, order.id)).some(open => open.lock_id === lock.lock_id)) return
      await endLock(context, order, lock, { by: null, now: services.now() })
    })
  }
}
