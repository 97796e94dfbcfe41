/** Schemas of the calls in order-locks.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { holdReasons } from './order-locks.codes.ts'

const HoldReason = z.enum(holdReasons)

/** An instant that lies ahead, or nothing: then a person releases it. */
const Until = z.iso.datetime({ offset: true, error: 'Enter the time as 2026-11-10T10:30:00+01:00' }).nullable().default(null)
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

export const orderLocksSchemas = {
  components: { HoldReason, OrderLock },
  calls: {
    get: {
      reply: OneLock,
      summary: 'The lock that somebody put on an order, if there is one.',
    },
    lock: {
      body: z.object({ note: Note.default('') }),
      reply: OrderLock,
      summary: 'Locks an order: no one can pack it until it is unlocked.',
    },
    unlock: {
      summary: 'Unlocks an order.',
    },
    getAuto: {
      reply: OneLock,
      summary: 'What an order waits for by itself, if it does.',
    },
    lockAuto: {
      body: z.object({ condition: Note.min(1, 'Say what the order waits for'), until: Until }),
      reply: OrderLock,
      summary: 'Locks until a time, or until somebody finds the condition met.',
    },
    unlockAuto: {
      summary: 'Ends an automatic lock before its time.',
    },
    hold: {
      body: z.object({ reason: HoldReason, note: Note.default(''), until: Until }),
      reply: OrderLock,
      summary: 'One more reason why the order must not go out; several may stand beside each other.',
    },
    releaseHold: {
      summary: 'Lets go of one of the things that hold an order.',
    },
  },
} satisfies ContractSchemas
