/** What Bring answers. Source: developer.bring.com, Booking, Pickup Point and Tracking v2. */
import * as z from 'zod'

const Message = z.looseObject({ lang: z.string().optional(), message: z.string() })
export const BringError = z.looseObject({ code: z.string(), messages: z.array(Message).catch([]) })
export type BringError = z.infer<typeof BringError>

export const BookingReply = z.looseObject({
  consignments: z
    .array(
      z.looseObject({
        correlationId: z.string().nullish(),
        confirmation: z
          .looseObject({
            consignmentNumber: z.string().min(1),
            links: z.looseObject({ labels: z.string().min(1) }),
            packages: z
              .array(
                z.looseObject({
                  packageNumber: z.string().min(1),
                  correlationId: z.string().nullish(),
                  qrCodeLink: z.string().nullish().catch(null),
                }),
              )
              .min(1),
          })
          .nullish(),
        errors: z.array(BringError).nullish(),
      }),
    )
    .min(1),
})

export const PickupReply = z.looseObject({
  pickupConfirmation: z.looseObject({
    status: z.string(),
    /** Milliseconds. */
    earliestPickupDate: z.number().nullish().catch(null),
    packageNumber: z.union([z.string(), z.number()]).transform(String).nullish().catch(null),
  }),
})

export const CustomersReply = z.looseObject({
  customers: z.array(
    z.looseObject({
      name: z.string(),
      customerNumber: z.string(),
      countryCode: z.string().nullish(),
      products: z.array(z.string()).nullish(),
    }),
  ),
})

const Hours = z.array(z.looseObject({ day: z.string(), opening: z.string().nullish(), closing: z.string().nullish() }))
export const PickupPointsReply = z.looseObject({
  pickupPoint: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      address: z.string().catch(''),
      postalCode: z.string().catch(''),
      city: z.string().catch(''),
      countryCode: z.string(),
      type: z.union([z.string(), z.number()]).transform(String).nullish(),
      openingHours: Hours.nullish().catch(null),
      openingHoursEnglish: z.string().nullish(),
      latitude: z.number().min(-90).max(90).nullish().catch(null),
      longitude: z.number().min(-180).max(180).nullish().catch(null),
      distanceInKm: z.union([z.number(), z.string()]).transform(Number).refine(Number.isFinite).nullish().catch(null),
    }),
  ),
})

export const TrackingReply = z.looseObject({
  consignmentSet: z.array(
    z.looseObject({
      error: z.looseObject({ code: z.union([z.string(), z.number()]).transform(Number), message: z.string().catch('') }).nullish(),
      packageSet: z
        .array(
          z.looseObject({
            packageNumber: z.string().nullish(),
            /** Until when it waits at the pickup point, as `18.12.2026`. */
            dateOfReturn: z.string().nullish().catch(null),
            eventSet: z
              .array(
                z.looseObject({
                  description: z.string().catch(''),
                  status: z.string(),
                  city: z.string().nullish(),
                  countryCode: z.string().nullish(),
                  dateIso: z.string(),
                }),
              )
              .catch([]),
          }),
        )
        .nullish(),
    }),
  ),
})

/** What Event Cast sends: one status of one package, with its time in UTC as `2026-11-17T21:00:00+0000`. */
export const PushedEvent = z.looseObject({ status: z.string().max(60), package: z.string().min(1).max(64), created: z.string().max(60) })
