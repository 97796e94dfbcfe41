/** What Helthjem answers. Source: Helthjem's API reference (developer.helthjem.no). */
import * as z from 'zod'

export const TokenReply = z.looseObject({ token: z.string().min(1), expires_in: z.number().positive() })

/** Errors carry a key, or a code and a message. */
export const Problem = z.looseObject({ errorKey: z.string().nullish().catch(null), message: z.string().nullish().catch(null) })

export const BookingReply = z.looseObject({
  /** With its GS1 prefix in parentheses, as in `(401)70724763243779244`. It becomes part of a path. */
  shipmentId: z.string().regex(/^[\w()-]{1,35}$/),
  orderId: z.union([z.string(), z.number()]).transform(String).nullish(),
  freightProductId: z.number().nullish(),
  items: z
    .array(z.looseObject({ trackingReference: z.string().nullish() }))
    .nullish()
    .catch(null),
  parties: z
    .array(
      z.looseObject({
        type: z.string(),
        id: z.union([z.string(), z.number()]).transform(String).nullish(),
        reference: z.string().nullish(),
      }),
    )
    .nullish()
    .catch(null),
})

const Hours = z.array(z.looseObject({ day: z.string(), from1: z.string().nullish(), to1: z.string().nullish() }))
export const ServicePointsReply = z.looseObject({
  freightProducts: z.array(
    z.looseObject({
      servicePoints: z.array(
        z.looseObject({
          servicePointExternalId: z.union([z.string(), z.number()]).transform(String),
          servicePointName: z.string(),
          visitingAddress: z.looseObject({
            streetName: z.string().nullish(),
            streetNumber: z.union([z.string(), z.number()]).transform(String).nullish(),
            postalCode: z.string().catch(''),
            postalName: z.string().catch(''),
            countryCode: z.string().nullish(),
          }),
          openingHours: Hours.nullish().catch(null),
        }),
      ),
    }),
  ),
})

const Event = z.looseObject({
  /** Local time of Norway. */
  eventTime: z.string().nullish(),
  eventTimeUtc: z.string().nullish(),
  eventType: z.looseObject({ apiKey: z.string(), description: z.string().nullish() }),
  message: z.string().nullish(),
  locationContext: z.string().nullish(),
})
export type HelthjemEvent = z.infer<typeof Event>

export const TrackingReply = z.array(
  z.looseObject({
    shipmentNumber: z.string().nullish(),
    items: z.array(z.looseObject({ events: z.array(Event).nullish() })),
  }),
)
