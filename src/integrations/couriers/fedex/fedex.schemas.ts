/** What FedEx answers. Source: its documents of OAuth, Ship v1 and Track v1. */
import * as z from 'zod'

const text = z.string().trim().nullish().catch(null)

export const TokenReply = z.looseObject({ access_token: z.string().min(1), expires_in: z.number() })

export const Failures = z.looseObject({ errors: z.array(z.looseObject({ code: text, message: text })).min(1) })

const Document = z.looseObject({ contentType: text, docType: text, encodedLabel: text })
export const ShipmentReply = z.looseObject({
  customerTransactionId: text,
  output: z.looseObject({
    transactionShipments: z
      .array(
        z.looseObject({
          masterTrackingNumber: text,
          alerts: z
            .array(z.looseObject({ code: text, message: text }))
            .nullish()
            .catch([]),
          pieceResponses: z
            .array(
              z.looseObject({
                trackingNumber: z.string().trim().min(1),
                packageSequenceNumber: z.coerce.number().int().positive().nullish().catch(null),
                packageDocuments: z.array(Document).nullish().catch([]),
              }),
            )
            .min(1),
        }),
      )
      .min(1),
  }),
})

export const PickupReply = z.looseObject({ output: z.looseObject({ pickupConfirmationCode: z.string().trim().min(1), location: text }) })

export const CancelReply = z.looseObject({ output: z.looseObject({ cancelledShipment: z.boolean().nullish() }).nullish().catch(null) })

const ScanEvent = z.looseObject({
  date: text,
  eventType: text,
  eventDescription: text,
  scanLocation: z.looseObject({ city: text }).nullish().catch(null),
})
export type ScanEvent = z.infer<typeof ScanEvent>

export const TrackingReply = z.looseObject({
  output: z.looseObject({
    completeTrackResults: z.array(
      z.looseObject({
        trackingNumber: text,
        trackResults: z
          .array(
            z.looseObject({
              scanEvents: z.array(ScanEvent).nullish().catch([]),
              error: z.looseObject({ code: text, message: text }).nullish().catch(null),
            }),
          )
          .catch([]),
      }),
    ),
  }),
})
