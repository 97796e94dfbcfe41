/** Locks and holds: what keeps an order in the warehouse, who set it, why and until when. */
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { limits, text } from '#contract/limits.ts'

export const holdReasons = ['address', 'customer', 'payment', 'fraud', 'stock', 'cancel_requested', 'other'] as const
export const HoldReason = z.enum(holdReasons)
export type HoldReason = z.infer<typeof HoldReason>

/** An instant that lies ahead, or nothing: then a person releases it. */
const Until = z.iso.datetime({ offset: true, error: 'Write the time as 2026-11-10T10:30:00+01:00' }).nullable().default(null)
const Note = text(limits.note)

export const OrderLock = z.object({
  lock_id: z.number().int(),
  kind: z.enum(['manual', 'auto', 'hold']),
  reason: z.string().nullable(),
  note: z.string(),
  until: z.string().nullable(),
  actor: z.string(),
  created_at: z.string(),
  /** Whether the person who asks may take it away. */
  may_release: z.boolean(),
})
export type OrderLock = z.infer<typeof OrderLock>

/** `lock` is null where the order is not locked in this way. */
const OneLock = z.object({ lock: OrderLock.nullable() })

export const orderLocks = calls(
  { name: 'orderLocks', area: 'orders', access: access.parcels, tenantScope: 'operator', schemas: { HoldReason, OrderLock } },
  {
    get: call('GET order_lock/{id}', {
      reply: OneLock,
      summary: 'The lock that somebody put on an order, if there is one.',
    }),
    lock: call('POST order_lock/{id}', {
      body: z.object({ note: Note.default('') }),
      reply: OrderLock,
      summary: 'Locks an order: no one can pack it until it is unlocked.',
    }),
    unlock: call('DELETE order_lock/{id}', { summary: 'Unlocks an order.' }),
    getAuto: call('GET order_lock/auto/{id}', {
      reply: OneLock,
      summary: 'What an order waits for by itself, if it does.',
    }),
    lockAuto: call('POST order_lock/auto/{id}', {
      body: z.object({ condition: Note.min(1, 'Say what the order waits for'), until: Until }),
      reply: OrderLock,
      summary: 'Locks until a time, or until somebody finds the condition met.',
    }),
    unlockAuto: call('DELETE order_lock/auto/{id}', {
      summary: 'Ends an automatic lock before its time.',
    }),
    hold: call('POST orders/{id}/hold', {
      access: access.bench,
      body: z.object({ reason: HoldReason, note: Note.default(''), until: Until }),
      reply: OrderLock,
      internal: true,
      summary: 'One more reason why the order must not go out; several may stand beside each other.',
    }),
    releaseHold: call('POST orders/{id}/release_hold/{lock_id}', {
      internal: true,
      summary: 'Lets go of one of the things that hold an order.',
    }),
  },
)
