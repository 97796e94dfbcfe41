/** What UPS answers. Source: UPS's OpenAPI documents of OAuth, Shipping v2409 and Tracking v1. */
import * as z from 'zod'

/** UPS writes numbers as text. */
const Numeric = z.union([z.number(), z.string()]).transform(Number).refine(Number.isFinite)
/** One element is an object and several are a list. */
const oneOrMany = <T extends z.ZodType>(one: T) => z.union([z.array(one), one.transform(single => [single])])
const text = z.string().nullish().catch(null)

export const TokenReply = z.looseObject({ access_token: z.string().min(1), expires_in: Numeric.catch(0) })

/** How all calls refuse. */
export const ErrorReply = z.looseObject({
  response: z.looseObject({
    errors: z
      .array(z.looseObject({ code: z.union([z.string(), z.number()]).transform(String).catch(''), message: z.string().catch('') }))
      .min(1),
  }),
})

const Status = z.looseObject({ Code: z.string(), Description: text })
const Money = z.looseObject({ CurrencyCode: z.string(), MonetaryValue: z.string() })
const Image = z.looseObject({
  ImageFormat: z.looseObject({ Code: z.string() }).nullish().catch(null),
  GraphicImage: z.string().nullish().catch(null),
})

export const ShipmentReply = z.looseObject({
  ShipmentResponse: z.looseObject({
    Response: z.looseObject({
      ResponseStatus: Status,
      Alert: oneOrMany(z.looseObject({ Code: z.string().catch(''), Description: z.string().catch('') }))
        .nullish()
        .catch(null),
      TransactionReference: z.looseObject({ CustomerContext: text }).nullish().catch(null),
    }),
    ShipmentResults: z.looseObject({
      ShipmentIdentificationNumber: z.string().min(1),
      ShipmentCharges: z.looseObject({ TotalCharges: Money }).nullish().catch(null),
      PackageResults: oneOrMany(z.looseObject({ TrackingNumber: z.string().min(1), ShippingLabel: Image.nullish().catch(null) })),
      Form: z
        .looseObject({ Image: Image.nullish().catch(null) })
        .nullish()
        .catch(null),
    }),
  }),
})

export const PickupReply = z.looseObject({ PickupCreationResponse: z.looseObject({ PRN: z.string().trim().min(1).max(26) }) })
export const PickupCancelReply = z.looseObject({
  PickupCancelResponse: z.looseObject({ Response: z.looseObject({ ResponseStatus: Status }) }),
})

export const VoidReply = z.looseObject({
  VoidShipmentResponse: z.looseObject({ SummaryResult: z.looseObject({ Status }) }),
})

export const TrackingReply = z.looseObject({
  trackResponse: z.looseObject({
    shipment: z.array(
      z.looseObject({
        package: z
          .array(
            z.looseObject({
              trackingNumber: text,
              /** Of the parcel shop to which it goes. */
              accessPointInformation: z.looseObject({ pickupByDate: text }).nullish().catch(null),
              activity: z
                .array(
                  z.looseObject({
                    gmtDate: text,
                    gmtTime: text,
                    location: z
                      .looseObject({ address: z.looseObject({ city: text }).nullish().catch(null) })
                      .nullish()
                      .catch(null),
                    status: z.looseObject({ type: text, statusCode: text, description: text, simplifiedTextDescription: text }),
                  }),
                )
                .nullish()
                .catch(null),
            }),
          )
          .nullish(),
      }),
    ),
  }),
})
export type UpsActivity = NonNullable<
  NonNullable<z.infer<typeof TrackingReply>['trackResponse']['shipment'][number]['package']>[number]['activity']
>[number]
