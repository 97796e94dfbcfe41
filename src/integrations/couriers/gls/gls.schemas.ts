/**
 * What GLS answers. Sources: GLS ShipIT REST documentation 5.0.11 and its OpenAPI document, which spell some names in two ways; Track and
 * Trace 1.0.7; for the national interface of GLS Denmark the open-source clients that run against it.
 */
import * as z from 'zod'

const Text = z.union([z.string(), z.number()]).transform(String)
const Numeric = z.union([z.number(), z.string()]).transform(Number).refine(Number.isFinite)

export const TokenReply = z.looseObject({ access_token: z.string().min(1), expires_in: Numeric.catch(0) })

/** 401 and 429 of the gateway before the interfaces. */
export const GatewayFault = z.looseObject({ fault: z.looseObject({ detail: z.looseObject({ errorcode: z.string() }) }) })

export const CreatedReply = z.looseObject({
  CreatedShipment: z.looseObject({
    ShipmentReference: z.array(z.string()).nullish().catch(null),
    ParcelData: z
      .array(
        z.looseObject({
          TrackID: z.string().min(1),
          ParcelNumber: Text.nullish(),
          Barcodes: z
            .looseObject({ Primary1D: Text.nullish(), Primary1DPrint: z.boolean().nullish().catch(null) })
            .nullish()
            .catch(null),
        }),
      )
      .min(1),
    PrintData: z
      .array(
        z.looseObject({
          Data: z.union([z.string().transform(one => [one]), z.array(z.string())]),
          LabelFormat: z.string().nullish(),
        }),
      )
      .catch([]),
  }),
})

export const CollectionReply = z.looseObject({ EstimatedPickUpDate: z.iso.date() })

export const CancelReply = z
  .looseObject({ result: z.string().optional(), Result: z.string().optional() })
  .transform(({ result, Result }) => result ?? Result)
  .pipe(z.string())

const Issues = z.looseObject({
  Issues: z
    .array(z.looseObject({ Rule: z.string().catch(''), Location: z.string().catch(''), Parameters: z.array(Text).nullish().catch(null) }))
    .catch([]),
})
export const ValidationReply = z
  .looseObject({
    success: z.boolean().optional(),
    Success: z.boolean().optional(),
    validationResult: Issues.optional(),
    ValidationResult: Issues.optional(),
  })
  .transform(reply => ({
    success: reply.success ?? reply.Success,
    issues: (reply.validationResult ?? reply.ValidationResult)?.Issues ?? [],
  }))

/** Milliseconds since midnight, an hour less than the clock shows. */
const Hours = z.looseObject({ OpeningHours: z.array(z.looseObject({ From: z.number(), To: z.number() })).catch([]) })
export const ParcelShopsReply = z.looseObject({
  ParcelShop: z
    .array(
      z.looseObject({
        ParcelShopID: z.string().min(1),
        Address: z.looseObject({
          Name1: z.string(),
          Street: z.string().catch(''),
          StreetNumber: z.string().nullish().catch(null),
          ZIPCode: Text.optional(),
          Zipcode: Text.optional(),
          City: z.string().catch(''),
          CountryCode: z.string(),
        }),
        WorkingDay: z
          .array(
            z.looseObject({
              DayOfWeek: z.string(),
              OpeningHours: Hours.nullish().catch(null),
              Breaks: Hours.nullish().catch(null),
            }),
          )
          .nullish()
          .catch(null),
        /** Kilometres. */
        AirlineDistance: Numeric.nullish().catch(null),
      }),
    )
    .nullish(),
})
export type ShipitShop = NonNullable<z.infer<typeof ParcelShopsReply>['ParcelShop']>[number]

export const TrackingReply = z.looseObject({
  parcels: z.array(
    z.looseObject({
      requested: z.string().nullish(),
      status: z.string().nullish(),
      statusDateTime: z.string().nullish(),
      events: z
        .array(
          z.looseObject({
            code: z.string().catch(''),
            city: z.string().nullish(),
            description: z.string().nullish(),
            eventDateTime: z.string(),
          }),
        )
        .nullish()
        .catch(null),
      errorCode: z.string().nullish(),
      errorMessage: z.string().nullish(),
    }),
  ),
})

export const DenmarkReply = z.looseObject({
  ConsignmentId: Text.nullish(),
  PDF: z.string().min(1),
  Parcels: z.array(z.looseObject({ ParcelNumber: Text.pipe(z.string().min(1)), UniqueNumber: Text.nullish() })).min(1),
})

export const DenmarkRefusal = z.looseObject({
  Message: z.string().catch(''),
  ModelState: z.record(z.string(), z.array(z.string())).nullish().catch(null),
})
