/** What DHL answers. Source: DHL's Parcel DE Shipping 2.1.13, Shipment Tracking Unified 1.5.8 and Location Finder Unified 1.14. */
import * as z from 'zod'

const Status = z
  .looseObject({
    title: z.string().nullish().catch(null),
    detail: z.string().nullish().catch(null),
    status: z.number().nullish().catch(null),
    /** Deprecated, and the only one in older answers. */
    statusCode: z.number().nullish().catch(null),
  })
  .transform(({ title, detail, status, statusCode }) => ({ title: title ?? '', detail: detail ?? '', code: status ?? statusCode ?? null }))

const Document = z.looseObject({ b64: z.string().nullish(), zpl2: z.string().nullish() }).nullish().catch(null)

const ValidationMessage = z.looseObject({
  property: z.string().nullish().catch(null),
  validationMessage: z.string().nullish().catch(null),
  validationState: z.string().nullish().catch(null),
})
export type ValidationMessage = z.infer<typeof ValidationMessage>

const Item = z.looseObject({
  // Never a number, which would lose its last digits.
  shipmentNo: z.string().min(1).max(50).nullish(),
  returnShipmentNo: z.string().nullish().catch(null),
  routingCode: z.string().nullish().catch(null),
  sstatus: Status.nullish(),
  label: Document,
  returnLabel: Document,
  customsDoc: Document,
  validationMessages: z.array(ValidationMessage).nullish().catch(null),
})
export type OrderItem = z.infer<typeof Item>

/** The answer to orders, and the problem of a request as a whole. */
export const OrdersReply = z.looseObject({
  status: z
    .union([Status, z.number()])
    .nullish()
    .transform(one => (typeof one === 'object' ? one : null))
    .catch(null),
  title: z.string().nullish().catch(null),
  detail: z.string().nullish().catch(null),
  items: z.array(Item).nullish(),
})
export type OrdersReply = z.infer<typeof OrdersReply>

export const TokenReply = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.union([z.number(), z.string()]).transform(Number).refine(Number.isFinite).catch(0),
})

/** What is wrong with the order of a pickup. */
export const PickupErrors = z
  .array(z.looseObject({ title: z.string(), instance: z.string().nullish(), detail: z.string().nullish() }))
  .min(1)
export const PickupReply = z.looseObject({
  confirmation: z.looseObject({
    type: z.literal('ORDERPICKUP'),
    value: z.looseObject({ orderID: z.string().length(32), pickupDate: z.iso.date() }),
  }),
})
export const PickupCancelReply = z.looseObject({
  confirmedCancellations: z.array(z.looseObject({ orderID: z.string() })).nullish(),
})

/** How tracking and the location finder refuse. */
export const Problem = z.looseObject({ title: z.string().nullish().catch(null), detail: z.string().nullish().catch(null) })

const Event = z.looseObject({
  timestamp: z.string().nullish().catch(null),
  statusCode: z.string().nullish().catch(null),
  status: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  location: z
    .looseObject({ address: z.looseObject({ addressLocality: z.string().nullish() }).nullish() })
    .nullish()
    .catch(null),
})
export const TrackingReply = z.looseObject({
  shipments: z.array(
    z.looseObject({
      id: z.union([z.string(), z.number()]).transform(String),
      status: Event.nullish().catch(null),
      events: z.array(Event).nullish().catch(null),
    }),
  ),
})
export type DhlEvent = z.infer<typeof Event>

export const LocationsReply = z.looseObject({
  locations: z.array(
    z.looseObject({
      name: z.string().catch(''),
      distance: z.number().nullish().catch(null),
      location: z.looseObject({
        /** The number in its postcode that stands in an address: Packstation 145. */
        keywordId: z.union([z.string(), z.number()]).transform(String).nullish().catch(null),
        type: z.string().catch(''),
      }),
      place: z.looseObject({
        address: z.looseObject({
          countryCode: z.string().catch(''),
          postalCode: z.string().catch(''),
          addressLocality: z.string().catch(''),
          streetAddress: z.string().catch(''),
        }),
      }),
      openingHours: z
        .array(z.looseObject({ opens: z.string(), closes: z.string(), dayOfWeek: z.string() }))
        .nullish()
        .catch(null),
    }),
  ),
})
export type DhlLocation = z.infer<typeof LocationsReply>['locations'][number]
