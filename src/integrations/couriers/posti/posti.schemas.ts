/** What Posti answers. Source: its API gateway 2026-04, and a client that was run against the demo environment. */
import * as z from 'zod'

const text = z.string().trim().nullish().catch(null)

export const TokenReply = z.looseObject({ access_token: z.string().min(1), expires_in: z.number() })

export const Problem = z.looseObject({ errorCode: text, errorMessage: text, message: text, details: z.unknown().optional() })

export const OrderReply = z.tuple([
  z.looseObject({
    id: z.union([z.string(), z.number()]).transform(String),
    shipmentNo: text,
    parcels: z.array(z.looseObject({ parcelNo: z.string().trim().min(1) })).min(1),
    prints: z
      .array(z.looseObject({ href: z.string(), pdf_type: text }))
      .nullish()
      .catch([]),
  }),
])

export const PickupPointsReply = z.looseObject({
  pickupPoints: z.array(
    z.looseObject({
      pupCode: z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1)),
      publicName: text,
      location: z.looseObject({ street: text, postcode: text, city: text, municipality: text, country: text }).nullish().catch(null),
      parcelLocker: z.boolean().nullish().catch(null),
      distanceInMeters: z.number().nullish().catch(null),
    }),
  ),
  /** Of the next page of a whole list. */
  pagingContinuationToken: text,
})
export type PostiPoint = z.infer<typeof PickupPointsReply>['pickupPoints'][number]
