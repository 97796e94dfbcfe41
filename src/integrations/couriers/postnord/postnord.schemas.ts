/** What PostNord answers. Source: its Booking APIs 3.5, Service Points 5.0 and Track Shipment 5. */
import * as z from 'zod'

const text = z.string().nullish().catch(null)

const Fault = z.looseObject({
  explanationText: z.string().catch(''),
  faultCode: text,
  paramValues: z
    .array(z.looseObject({ param: text, value: text }))
    .nullish()
    .catch([]),
})
export const Refusal = z.looseObject({
  message: text,
  compositeFault: z
    .looseObject({ faults: z.array(Fault).catch([]) })
    .nullish()
    .catch(null),
})
export type Refusal = z.infer<typeof Refusal>
export const WrappedRefusal = z.looseObject({ servicePointInformationResponse: Refusal })

const Printout = z.looseObject({
  itemIds: z
    .array(z.looseObject({ itemIds: text, printId: text, status: text }))
    .nullish()
    .catch([]),
  printout: z.looseObject({ type: text, labelFormat: text, encoding: text, data: text }).nullish().catch(null),
})
export type Printout = z.infer<typeof Printout>
export const Printouts = z.array(Printout)

const Reference = z.looseObject({ referenceNo: z.string(), referenceType: z.string() })
const Booked = z.looseObject({
  bookingId: text,
  idInformation: z
    .array(
      z.looseObject({
        status: z.string(),
        references: z
          .looseObject({ shipment: z.array(Reference).nullish() })
          .nullish()
          .catch(null),
        ids: z.array(z.looseObject({ idType: z.string(), value: z.string().min(1), printId: text })).nullish(),
        errorResponse: Refusal.nullish().catch(null),
      }),
    )
    .min(1),
})
/** Pickups are answered like bookings, without a label. */
export const PickupReply = Booked
export const BookingReply = z.looseObject({
  bookingResponse: Booked,
  labelPrintout: Printouts.nullish().catch([]),
})

export const HealthReply = z.looseObject({ status: z.string() })

const Address = z.looseObject({ countryCode: text, city: text, streetName: text, streetNumber: text, postalCode: text })
const Hours = z.looseObject({ openDay: z.string(), openTime: z.string(), closeTime: z.string() })
export const ServicePointsReply = z.looseObject({
  servicePointInformationResponse: z.looseObject({
    servicePoints: z
      .array(
        z.looseObject({
          servicePointId: z.string().min(1),
          name: z.string().catch(''),
          routeDistance: z.number().nullish().catch(null),
          visitingAddress: Address.nullish().catch(null),
          deliveryAddress: Address.nullish().catch(null),
          openingHours: z
            .looseObject({ postalServices: z.array(Hours).nullish() })
            .nullish()
            .catch(null),
        }),
      )
      .nullish(),
  }),
})

const Event = z.looseObject({
  eventTime: z.string(),
  status: text,
  eventDescription: text,
  location: z.looseObject({ name: text, city: text, countryCode: text }).nullish().catch(null),
})
export const TrackingReply = z.looseObject({
  TrackingInformationResponse: z.looseObject({
    shipments: z.array(
      z.looseObject({
        items: z
          .array(z.looseObject({ itemId: z.string(), events: z.array(Event).catch([]) }))
          .nullish()
          .catch([]),
      }),
    ),
  }),
})
