/** Schemas of the calls in tracking.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale, text } from '#contract/fields.schemas.ts'
import { OrderCampaign } from '#features/shipping/campaigns/campaigns.schemas.ts'
import { publicStates, stages } from './tracking.rules.ts'

/** A sentence with places, which is also the translation key, and what to fill them with. */
const Sentence = z.object({ text: z.string(), values: z.record(z.string(), z.number()) })

/** The shop as its public pages show it. */
export const ShopFace = z.object({
  name: z.string(),
  colors: z.object({ light: z.string(), on_light: z.string(), dark: z.string(), on_dark: z.string() }),
  has_logo: z.boolean(),
  homepage: z.string().nullable(),
  support_email: z.string().nullable(),
  support_phone: z.string().nullable(),
})
export type ShopFace = z.infer<typeof ShopFace>

const Item = z.object({ name: z.string(), qty: z.number().int() })

export const TrackedParcel = z.object({
  parcel_no: z.number().int(),
  state: z.enum(publicStates),
  /** Who carries it: the shop itself where the van is its own. */
  courier: z.string(),
  tracking_no: z.string().nullable(),
  /** The last day on which it can be collected, while it waits and the courier says it. */
  collect_by: z.string().nullable(),
  /** Newest first. */
  events: z.array(z.object({ at: z.string(), text: z.string(), place: z.string().nullable() })),
  items: z.array(Item),
})
export type TrackedParcel = z.infer<typeof TrackedParcel>

/** No name, no street, no price: the person who has the link may not be the recipient. */
export const Tracking = z.object({
  company: ShopFace,
  locale: Locale,
  time_zone: z.string(),
  /** Null for a shipment without an order. */
  order_no: z.string().nullable(),
  ordered_at: z.string(),
  stage: z.enum(stages),
  trouble: z.enum(['cancelled', 'delivery_failed', 'delayed', 'returning', 'returned']).nullable(),
  headline: Sentence,
  advice: Sentence.nullable(),
  /** The day that was agreed at the checkout. */
  promised_day: z.string().nullable(),
  city: z.string().nullable(),
  /** ISO 3166-1 alpha-2. */
  country: z.string().nullable(),
  /** The parcel shop to which it goes, with its opening hours where they are known. */
  parcel_shop: z.object({ name: z.string(), address: z.string(), opening_hours: z.array(z.string()) }).nullable(),
  parcels: z.array(TrackedParcel),
  /** What lies in no parcel yet. */
  waiting: z.array(Item),
  /** The day on which what lies in no parcel yet should leave, where the shop said one. */
  expected_on: z.string().nullable(),
  /** Numbers of the other orders in the same parcels. */
  together: z.array(z.string()),
  /** What was cancelled when the first part was sent. */
  not_coming: z.array(Item),
  /** What the shop shows beside it, in the reader's language. */
  campaign: OrderCampaign.nullable(),
  /** What this was found by, to ask again with for a day: only where no signed link was. */
  ticket: z.object({ o: z.number().int(), s: z.string() }).nullable(),
})
export type Tracking = z.infer<typeof Tracking>

const number = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)

export const trackingSchemas = {
  components: { ShopFace, TrackedParcel, Tracking },
  calls: {
    shop: {
      reply: z.object({ company: ShopFace, locale: Locale }),
      summary: 'The shop whose page this is, and the language to begin in.',
    },
    order: {
      query: z.object({ o: number.optional(), p: number.optional(), s: z.string().min(1).max(64), lang: Locale.optional() }),
      reply: Tracking,
      summary:
        'The order (`o`) or the shipment without an order (`p`) behind a signed link; `lang` is the language that the reader has chosen, for the campaign. The logo is at company/img/company_logo.',
    },
    find: {
      body: z.strictObject({ order_no: text(60).min(1), postcode: text(20).min(1), lang: Locale.optional() }),
      reply: Tracking,
      example: { body: { order_no: '1001', postcode: '5000' } },
      summary: 'The same by order number and postcode; unknown and wrong get one answer after one time.',
    },
  },
} satisfies ContractSchemas
