/** What Budbee answers. Source: developer.budbee.com, as its own client and independent ones read it. */
import * as z from 'zod'

const id = z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1))

export const OrderReply = z.looseObject({
  id,
  parcels: z
    .array(z.looseObject({ packageId: id, shipmentId: z.string().nullish(), label: z.string().nullish(), labelUrl: z.string().nullish() }))
    .catch([]),
})
export type BookedParcel = z.infer<typeof OrderReply>['parcels'][number]

export const Failure = z.looseObject({ message: z.string().trim().min(1) })

const Moment = z.looseObject({ day: z.string(), time: z.string() })
const Periods = z.array(z.looseObject({ open: Moment, close: Moment.nullish() }))
export type OpeningPeriods = z.infer<typeof Periods>

export const LockersReply = z.looseObject({
  lockers: z.array(
    z.looseObject({
      id,
      name: z.string(),
      address: z.looseObject({
        street: z.string().catch(''),
        postalCode: z.string().catch(''),
        city: z.string().catch(''),
        country: z.string(),
      }),
      openingHours: z.looseObject({ periods: Periods }).nullish().catch(null),
    }),
  ),
})
