/** Setting and releasing what stops an order; the order's `held` follows in the same transaction. */
import { sql } from 'kysely'
import { type Access, access, isAllowed, type Permission } from '#contract/access.ts'
import { conflict, forbidden, orNotFound } from '#contract/errors.ts'
import { valueAt } from '#domain/objects.ts'
import { type OrderFacts, takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { endHolds, holdOrders, notifyWorkers, releaseOrders } from '#features/orders/orders/order-state.commands.ts'
import { compiledQuery, executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import type { OrderLock } from './order-locks.schemas.ts'

export type LockKind = OrderLock['kind']
type LockTools = Pick<TransactionContext, 'db' | 'recordEvents' | 'notify'>

const columns = ['id as lock_id', 'kind', 'reason', 'note', 'until', 'actor', 'created_at'] as const
type LockRow = Omit<OrderLock, 'may_release'>

/** Holds for these reasons protect money: the person who releases one is recorded. */
const guarded = new Set(['payment', 'fraud', 'cancel_requested'])

const releaseAccess = (lock: Pick<LockRow, 'kind' | 'reason'>): Access =>
  lock.kind === 'hold' && guarded.has(lock.reason ?? '') ? access.parcelsAdmin : access.parcels

export const asLock = (row: LockRow, permissions: readonly Permission[]): OrderLock => ({
  ...row,
  may_release: isAllowed(permissions, releaseAccess(row)),
})

/** What stops the order at this moment, the newest first. */
export const locksQuery = (db: Db, order_id: number) =>
  db
    .selectFrom('order_locks')
    .select(columns)
    .where('order_id', '=', order_id)
    .where('released_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(50)

export const openLocks = (db: Db, order_id: number): Promise<LockRow[]> => locksQuery(db, order_id).execute()

export interface NewLock {
  kind: LockKind
  reason?: string
  note?: string
  until?: string | null
  body?: object
  /** Who is named as having set it; null for a rule or a shop. */
  by: { id: number; name: string }
}

/** More would be a mistake, or somebody's script. */
const mostLocks = 20

const timeOf = (until: string | null | undefined): number | null => (until ? Date.parse(until) : null)

/** Puts one more lock on an order that `takeOrder` took. A hold that was asked for before, and whose answer was lost, is the same hold. */
export async function addLock(tools: LockTools, order: OrderFacts, lock: NewLock): Promise<LockRow> {
  const { db } = tools
  const open = await openLocks(db, order.id)
  const sent = open.find(
    one =>
      lock.kind === 'hold' &&
      one.kind === 'hold' &&
      one.actor === lock.by.name &&
      one.reason === (lock.reason ?? null) &&
      one.note === (lock.note ?? '') &&
      timeOf(one.until) === timeOf(lock.until),
  )
  if (sent) return sent
  const same = open.find(one => one.kind === lock.kind && lock.kind !== 'hold')
  if (same) throw conflict('order_locked', '{{name}} has locked this order already: {{note}}', { name: same.actor, note: same.note })
  if (open.length >= mostLocks) throw conflict('too_many_holds', 'This order is held for {{count}} reasons already', { count: open.length })
  const row = await db
    .insertInto('order_locks')
    .values({
      company_id: order.company_id,
      order_id: order.id,
      kind: lock.kind,
      reason: lock.reason ?? null,
      note: lock.note ?? '',
      until: lock.until ?? null,
      body: JSON.stringify(lock.body ?? {}),
      created_by: lock.by.id || null,
      actor: lock.by.name,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  await holdOrders(tools, [order.id], {
    kind: lock.kind === 'hold' ? 'order.held' : 'order.locked',
    subject: 'lock',
    subject_id: row.lock_id,
    data: { lock: lock.kind, reason: lock.reason ?? null, note: lock.note ?? '', until: lock.until ?? null },
  })
  notifyWorkers(tools.notify, order)
  return row
}

/** Puts the same lock on many orders that `takeOrders` took, and that may have it; answers the lock of each. */
export async function addLocks(tools: LockTools, orders: readonly OrderFacts[], lock: NewLock): Promise<Map<number, number>> {
  if (orders.length === 0) return new Map()
  const rows = await executeWithGenericPlan(
    tools.db,
    sql<{ id: number; order_id: number }>`
    insert into order_locks (company_id, order_id, kind, reason, note, created_by, actor)
    select o.company_id, o.id, ${lock.kind}, ${lock.reason ?? null}, ${lock.note ?? ''}, ${lock.by.id || null}::bigint, ${lock.by.name}
    from unnest(${orders.map(order => order.id)}::bigint[], ${orders.map(order => order.company_id)}::bigint[]) as o(id, company_id)
    returning id, order_id`,
  )
  const lockOf = new Map(rows.map(row => [row.order_id, row.id]))
  await holdOrders(
    tools,
    orders.map(order => order.id),
    ({ id }) => ({
      kind: lock.kind === 'hold' ? 'order.held' : 'order.locked',
      subject: 'lock',
      subject_id: valueAt(lockOf, id),
      data: { lock: lock.kind, reason: lock.reason ?? null, note: lock.note ?? '', until: null },
    }),
  )
  for (const order of orders) if (order.work_state === 'in_pick' || order.work_state === 'in_pack') notifyWorkers(tools.notify, order)
  return lockOf
}

const fullRows = compiledQuery((db, { order_ids, reason }: { order_ids: readonly number[]; reason: string | null }) =>
  db
    .selectFrom('order_locks')
    .select('order_id')
    .where('order_id', '=', sql<number>`any(${order_ids}::bigint[])`)
    .where('released_at', 'is', null)
    .groupBy('order_id')
    .having(sql<boolean>`count(*) >= ${mostLocks} or bool_or(kind = 'hold' and reason = ${reason}::text)`),
)

/** Orders that have reached the most locks, or are held for this reason already. */
export const fullOfLocks = async (db: Db, order_ids: readonly number[], reason: string | null): Promise<Set<number>> =>
  new Set((await fullRows(db, { order_ids, reason })).map(row => row.order_id))

/** Takes locks away, at most one from each of many orders that `takeOrders` took; answers the orders that had theirs. */
export async function endLocks(
  tools: LockTools,
  locks: readonly { order: OrderFacts; lock_id: number }[],
  { by, now }: { by: number | null; now: Date },
): Promise<number[]> {
  if (locks.length === 0) return []
  const ended = await tools.db
    .updateTable('order_locks')
    .set({ released_at: now.toISOString(), released_by: by })
    .where('id', '=', sql<number>`any(${locks.map(lock => lock.lock_id)}::bigint[])`)
    .where('released_at', 'is', null)
    .returning(['order_id', 'id', 'kind', 'reason', 'note'])
    .execute()
  const lockOf = new Map(ended.map(lock => [lock.order_id, lock]))
  const orders = locks.map(lock => lock.order).filter(order => lockOf.has(order.id))
  const after = await endHolds(
    tools,
    orders.map(order => order.id),
    ({ id }) => {
      const { id: subject_id, kind, reason, note } = valueAt(lockOf, id)
      return {
        kind: kind === 'hold' ? 'order.hold_released' : 'order.unlocked',
        subject: 'lock',
        subject_id,
        data: { lock: kind, reason, note },
      }
    },
  )
  for (const order of orders) if (order.work_state === 'in_pick' || order.work_state === 'in_pack') notifyWorkers(tools.notify, order)
  const waits = new Set(orders.filter(one => one.release_at !== null && Date.parse(one.release_at) > now.getTime()).map(one => one.id))
  await releaseOrders(
    tools,
    after.filter(one => one.phase === 'new' && !waits.has(one.id)).map(one => one.id),
  )
  return orders.map(order => order.id)
}

/** Takes one lock away from an order that `takeOrder` took. A new order that nothing else stops is released at once. */
export async function endLock(
  tools: LockTools,
  order: OrderFacts,
  lock: Pick<LockRow, 'lock_id' | 'kind' | 'reason' | 'note'>,
  { by, now }: { by: number | null; now: Date },
): Promise<void> {
  const { db } = tools
  const { numUpdatedRows } = await db
    .updateTable('order_locks')
    .set({ released_at: now.toISOString(), released_by: by })
    .where('id', '=', lock.lock_id)
    .where('order_id', '=', order.id)
    .where('released_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw conflict('hold_released', 'This was released already')
  const [after] = await endHolds(tools, [order.id], {
    kind: lock.kind === 'hold' ? 'order.hold_released' : 'order.unlocked',
    subject: 'lock',
    subject_id: lock.lock_id,
    data: { lock: lock.kind, reason: lock.reason, note: lock.note },
  })
  notifyWorkers(tools.notify, order)
  const waits = order.release_at !== null && Date.parse(order.release_at) > now.getTime()
  if (after?.phase === 'new' && !waits) await releaseOrders(tools, [order.id])
}

/** Takes the order, and refuses in words what is not there. */
export const orderToStop = async (db: Db, id: number): Promise<OrderFacts> =>
  orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')

export const mayRelease = (lock: Pick<LockRow, 'kind' | 'reason'>, permissions: readonly Permission[]): boolean =>
  isAllowed(permissions, releaseAccess(lock))

export function mustMayRelease(lock: Pick<LockRow, 'kind' | 'reason'>, permissions: readonly Permission[]): void {
  if (!mayRelease(lock, permissions))
    throw forbidden('hold_release_forbidden', 'You do not have permission to release this hold. Ask a lead.')
}

/** Locks whose time has come, of every operator; asked as the system. */
export const dueLocks = (db: Db, now: Date) =>
  db
    .selectFrom('order_locks')
    .select(['operator_id', 'company_id', 'order_id', 'id as lock_id', 'kind', 'reason', 'note'])
    .where('released_at', 'is', null)
    .where('until', '<=', now.toISOString())
    .orderBy('until')
    .limit(500)
    .execute()

/** Puts the same hold on many orders that have none for its reason. The caller has locked their rows, and their status follows with `holdOrders`. */
export async function insertHolds(
  db: Db,
  orders: readonly { id: number; company_id: number }[],
  hold: { reason: string; note?: string; by: { id: number | null; name: string } },
): Promise<void> {
  if (orders.length === 0) return
  await sql`
    insert into order_locks (company_id, order_id, kind, reason, note, created_by, actor)
    select o.company_id, o.id, 'hold', ${hold.reason}, ${hold.note ?? ''}, ${hold.by.id}::bigint, ${hold.by.name}
    from unnest(${orders.map(order => order.id)}::bigint[], ${orders.map(order => order.company_id)}::bigint[]) as o (id, company_id)
    where not exists (select from order_locks x where x.operator_id = current_operator_id() and x.order_id = o.id
      and x.kind = 'hold' and x.reason = ${hold.reason} and x.released_at is null)`.execute(db)
}
