/** Schemas of the calls in webhooks.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { keptHours } from '#features/company/api-keys/cms-keys.codes.ts'
import { ShopCode } from '#features/company/api-keys/cms-keys.schemas.ts'
import { publicTypes } from '#features/deliveries/outbox/public-events.rules.ts'
import { WebhookBody } from './webhook-body.rules.ts'
import { allOf, deliveryStates, eventGroups, mayBeHeader } from './webhooks.codes.ts'

const EventType = z.enum(publicTypes)

export const OutgoingWebhook = z.object({
  id: z.number().int(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  /** The shop whose events it gets; null means all. */
  shop: z.string().nullable(),
  /** The name of the header that is sent with each delivery; its value is never shown again. */
  header_name: z.string().nullable(),
  /** The end of its value, to recognise it; empty where it is short. */
  header_last4: z.string().nullable(),
  /** `paused`: nothing was delivered for three days, or the receiver answered 410; deliveries wait until it is resumed. */
  state: z.enum(['active', 'paused', 'disabled']),
  failing_since: z.string().nullable(),
  paused_at: z.string().nullable(),
  /** The end of the secret, to recognise it. */
  last4: z.string(),
  /** Until when the secret before it signs too. */
  old_secret_until: z.string().nullable(),
  /** Deliveries that wait. */
  waiting: z.number().int(),
  /** Deliveries that waited for more than 14 days during this pause, and are not made any more. */
  lost: z.number().int(),
  last_delivery_at: z.string().nullable(),
  /** Counts the changes of its settings. */
  version: z.number().int(),
})
export type OutgoingWebhook = z.infer<typeof OutgoingWebhook>

const Delivery = z.object({
  id: z.number().int(),
  /** As in the body. */
  event_id: z.string(),
  event: z.string(),
  at: z.string(),
  object: z.object({ type: z.string(), id: z.number().int(), seq: z.number().int() }),
  /** Of the order that it is about. */
  order_id: z.number().int().nullable(),
  order_no: z.string().nullable(),
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  /** Counts how often it was sent again on demand. */
  replay_no: z.number().int(),
  /** When it is tried next, where it waits. */
  next_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  /** The HTTP status of the answer, where there was one. */
  status: z.number().int().nullable(),
  took_ms: z.number().int().nullable(),
})
export type WebhookDelivery = z.infer<typeof Delivery>

const DeliveryDetail = Delivery.extend({
  /** The start of the answer, or what went wrong. */
  answer: z.string().nullable(),
  /** What the last attempt sent; null before the first, after 14 days, and once the person was erased. */
  body: z.string().nullable(),
  sent_at: z.string().nullable(),
})
export type WebhookDeliveryDetail = z.infer<typeof DeliveryDetail>

const LogQuestion = z.object({
  state: listParam(z.enum(deliveryStates)),
  event: listParam(EventType, publicTypes.length),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** The number of an order, the id of an event, or words of an answer. */
  q: text(100).optional(),
})
export type LogQuestion = z.infer<typeof LogQuestion>

export const WebhookFields = z.strictObject({
  name: text(limits.name).min(1, 'Give the webhook a name'),
  url: z.url('This is no address').max(500),
  /** Kinds of events, or all of an object: `order.*` has also those that later versions add. */
  events: z
    .array(z.enum([...publicTypes, ...eventGroups.map(({ object }) => allOf(object))]))
    .min(1, 'Choose at least one event')
    .max(publicTypes.length + eventGroups.length),
  active: z.boolean(),
  /** Only events of this shop's orders, with their shipments and returns; null means all shops. */
  shop: ShopCode.nullable(),
  /** One more header, which the receiver asks for; null sends none. */
  header_name: text(60).refine(mayBeHeader, 'Letters, digits and hyphens, and no header that is sent already').nullable(),
  /** Stored sealed. Left out or empty, the value from before stays. */
  header_value: text(500)
    .regex(/^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/, 'Letters, digits and signs of English, without a space at its ends')
    .optional(),
})

export const webhooksSchemas = {
  components: { OutgoingWebhook, WebhookBody, WebhookDelivery: Delivery },
  calls: {
    list: {
      reply: z.object({ rows: z.array(OutgoingWebhook) }),
      summary: 'The outgoing webhooks of the company, with what waits for each.',
    },
    save: {
      body: WebhookFields.extend({
        /** Absent: a new one. */
        id: z.number().int().positive().optional(),
        /** With an id: the version that was read. Without one the change is made whatever others have changed. */
        version: z.number().int().positive().optional(),
        active: z.boolean().default(true),
        shop: WebhookFields.shape.shop.default(null),
        header_name: WebhookFields.shape.header_name.default(null),
      }),
      /** Contains the secret of a new webhook, which is shown only in this answer. */
      reply: z.object({ row: OutgoingWebhook, secret: z.string().nullable() }),
      example: { body: { name: 'Our shop', url: 'https://shop.example.com/pakhus', events: ['order.packed', 'shipment.*'] } },
      summary:
        'Adds an outgoing webhook, or changes the one of this id. It gets what happens from now on; `order.*` stands for all events of an object, also those that are added later. 409 with the current one when the version is old.',
    },
    remove: {
      query: z.object({ id: z.coerce.number<unknown>().int().positive() }),
      summary: 'Removes an outgoing webhook with everything that waits for it.',
    },
    events: {
      reply: z.object({ rows: z.array(z.object({ type: EventType, summary: z.string(), example: WebhookBody })) }),
      summary: 'The events that an outgoing webhook can get, each with an example of its body.',
    },
    test: {
      body: z.strictObject({ event: EventType }),
      reply: z.object({ delivered: z.boolean(), status: z.number().int().nullable(), took_ms: z.number().int(), answer: z.string() }),
      example: { id: 1, body: { event: 'order.packed' } },
      summary: 'Sends the example of an event, marked as a test, and answers what the receiver said. Nothing is retried or logged.',
    },
    rotate: {
      body: z.strictObject({ keep_hours: z.union(keptHours.map(hours => z.literal(hours))).default(24) }),
      /** The new secret, which is shown only in this answer. */
      reply: z.object({ row: OutgoingWebhook, secret: z.string() }),
      example: { id: 1, body: { keep_hours: 24 } },
      summary: 'Makes a new secret. The one before it signs too for keep_hours: 0, 1, 24 or 168. Two sign at most.',
    },
    resume: {
      reply: OutgoingWebhook,
      summary: 'Resumes a paused webhook: it gets what waited, in order per object.',
    },
    replay: {
      body: z.strictObject({
        from: z.iso.datetime({ offset: true }),
        to: z.iso.datetime({ offset: true }),
        states: z
          .array(z.enum(['delivered', 'failed']))
          .min(1)
          .default(['failed']),
        events: z.array(EventType).min(1).max(publicTypes.length).optional(),
      }),
      reply: z.object({ count: z.number().int() }),
      example: { id: 1, body: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' } },
      summary: 'Sends the finished deliveries of a time within the last 14 days again, in their order; 100,000 at most.',
    },
    deliveries: {
      query: pageQuery.extend(LogQuestion.shape),
      reply: page(Delivery),
      summary: 'The delivery log of a webhook, the newest event first.',
    },
    exportDeliveries: {
      query: LogQuestion,
      summary: 'The delivery log as CSV, 10,000 rows at most.',
    },
    days: {
      reply: z.object({ rows: z.array(z.object({ day: z.string(), delivered: z.number().int(), failed: z.number().int() })) }),
      summary: 'How many deliveries of a webhook ended on each of the last 14 days, days without any left out.',
    },
    delivery: {
      reply: DeliveryDetail,
      summary: 'One delivery with what was sent and what the receiver answered.',
    },
    sendAgain: {
      summary: 'Sends one delivery now: a waiting or failed one once more, a delivered one as a replay under the same id.',
    },
  },
} satisfies ContractSchemas
