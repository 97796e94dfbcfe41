/** A message as outgoing webhooks send it: what became of it; address and words stay out. */
import { sql } from 'kysely'
import * as z from 'zod'
import { first, instant, objectOf, ours, whole } from '#features/deliveries/webhooks/webhook-objects.server.ts'

const Message = z.object({
  message_id: whole,
  direction: z.string(),
  channel: z.string(),
  trigger: z.string(),
  state: z.string(),
  /** Why it was not sent. */
  reason: z.string().nullable(),
  order_id: whole.nullable(),
  order_no: z.string().nullable(),
  customer_id: whole.nullable(),
  created_at: instant,
  sent_at: instant.nullable(),
  final_at: instant.nullable(),
})

export const messageObject = objectOf(
  'WebhookMessage',
  Message,
  {
    message_id: 7_001,
    direction: 'out',
    channel: 'sms',
    trigger: 'handed_over',
    state: 'sent',
    reason: null,
    order_id: 4_711,
    order_no: '1001',
    customer_id: 3_021,
    created_at: '2026-11-20T10:00:00.000Z',
    sent_at: '2026-11-20T10:00:05.000Z',
    final_at: null,
  },
  (db, id) =>
    first(
      sql<z.output<typeof Message> & { about_order: number | null }>`
        select m.id as message_id, m.direction, m.channel, m.trigger, m.state, m.reason, m.order_id, o.order_no, m.customer_id, m.created_at, m.sent_at,
          m.final_at, m.order_id as about_order
        from messages m left join orders o on o.operator_id = m.operator_id and o.id = m.order_id
        where ${ours('m')} and m.id = ${id}`.execute(db),
    ),
)
