/** Schemas of the calls in courier-events.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { courierEvents, usActions } from './courier-events.codes.ts'

const Audience = {
  event: z.enum(courierEvents),
  /** The shop's webhooks that ask for the event get it. */
  to_shop: z.boolean(),
  /** The recipient gets a message: of the template, else of the active template of the occasion. */
  to_recipient: z.boolean(),
  template_id: z.number().int().positive().nullable().default(null),
  /** The warehouse learns of it: an exception of the shipment is opened, or its order gets a tag. */
  to_us: z.boolean(),
  us_action: z.enum(usActions).default('exception'),
  /** The tag of the company that the order gets. */
  tag_id: z.number().int().positive().nullable().default(null),
}
export const CourierEventSetting = z.strictObject(Audience)
export type CourierEventSetting = z.output<typeof CourierEventSetting>

export const CourierEventSettings = z.object({
  agent_code: z.string(),
  /** 0 before the first change. */
  version: z.number().int(),
  events: z.array(
    z.object({
      ...Audience,
      /** It has not been set: the usual holds. */
      is_default: z.boolean(),
    }),
  ),
  /** Templates of messages that an event can send. */
  tags: z.array(z.object({ id: z.number().int(), name: z.string() })),
  templates: z.array(z.object({ id: z.number().int(), name: z.string(), channel: z.enum(['sms', 'email']), locale: z.string() })),
})
export type CourierEventSettings = z.output<typeof CourierEventSettings>

export const courierEventsSchemas = {
  components: { CourierEventSetting, CourierEventSettings },
  calls: {
    get: {
      reply: CourierEventSettings,
      summary:
        'Who learns of each event of a courier: the shop by webhook, the recipient by message, the warehouse by an exception or a tag.',
      example: { agent_code: 'own' },
    },
    set: {
      body: z.strictObject({
        version: z.number().int().min(0),
        /** Events that are not named stay as they are. */
        events: z
          .array(CourierEventSetting)
          .min(1)
          .max(courierEvents.length)
          .refine(events => new Set(events.map(({ event }) => event)).size === events.length, 'An event is named twice'),
      }),
      reply: CourierEventSettings,
      summary: 'Sets who learns of events of a courier; 409 with the current state when the version is old.',
    },
  },
} satisfies ContractSchemas
