/** What DPD's META API answers. Source: its OpenAPI document 2.30.48, and a client that agrees. */
import * as z from 'zod'

const Failure = z.looseObject({
  errorCode: z.union([z.string(), z.number()]).transform(String).nullish().catch(null),
  errorMessage: z.string().nullish().catch(null),
  originError: z
    .looseObject({ code: z.union([z.string(), z.number()]).transform(String).nullish(), description: z.string().nullish() })
    .nullish()
    .catch(null),
})
/** One error, or a list of them. */
export const Failures = z
  .array(Failure)
  .or(Failure.transform(one => [one]))
  .refine(some => some.some(one => one.errorCode || one.errorMessage || one.originError?.description))

const Scheduled = z.looseObject({
  scheduledPickupResponse: z
    .array(
      z
        .looseObject({ pickupreference: z.string().nullish(), statusCode: z.string().nullish(), statusDescription: z.string().nullish() })
        .refine(one => one.pickupreference || one.statusCode || one.statusDescription),
    )
    .min(1),
})
/** One answer, or a list of one. */
export const PickupReply = Scheduled.or(z.tuple([Scheduled]).transform(([one]) => one)).transform(one => one.scheduledPickupResponse)

const Shipment = z.looseObject({
  shipmentId: z.string().nullish(),
  parcelIds: z.array(z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1))).min(1),
  parcelBarcodes: z
    .array(z.looseObject({ parcel: z.string().nullish(), barcode: z.string().nullish() }))
    .nullish()
    .catch(null),
  label: z.looseObject({ base64Data: z.string() }).nullish().catch(null),
})
/** Shipments are sent as a list; the answer is documented as one shipment. */
export const ShipmentReply = Shipment.or(z.tuple([Shipment]).transform(([one]) => one))
