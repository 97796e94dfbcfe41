/** What Matkahuolto answers, after its XML was read. Source: open-source clients of the shipment interface 2.24 and tracking interface 1.3. */
import * as z from 'zod'

/** The reply to every message. A deletion that worked has the form of an error with the number 0. */
export const ShipmentReply = z.object({
  error: z.object({ number: z.string().regex(/^\d{1,6}$/), words: z.string() }).nullable(),
  shipment: z.object({ number: z.string().regex(/^[\w-]{1,35}$/), reference: z.string() }).nullable(),
  /** Base64. */
  pdf: z.string(),
})
export type ShipmentReply = z.infer<typeof ShipmentReply>

export const TrackingReply = z.object({
  events: z.array(
    z.object({
      shipment: z.string(),
      parcel: z.string(),
      code: z.string(),
      /** Local time of Finland where it has no offset. */
      time: z.string(),
      place: z.string(),
      remarks: z.string(),
    }),
  ),
  errors: z.array(z.object({ code: z.string(), words: z.string() })),
})

export const OfficesReply = z.object({
  error: z.object({ number: z.string(), words: z.string() }).nullable(),
  offices: z.array(
    z.object({
      id: z.string().min(1),
      name: z.string(),
      street: z.string(),
      postcode: z.string(),
      city: z.string(),
      country: z.string(),
    }),
  ),
})
