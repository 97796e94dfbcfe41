/** What Hermes Germany answers. Source: two independent open-source clients of its HSI interface. */
import * as z from 'zod'

export const TokenReply = z.looseObject({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().catch(300) })

const ResultCodes = z.array(z.looseObject({ code: z.string(), message: z.string().nullish() }))

export const Problem = z.looseObject({ listOfResultCodes: ResultCodes.nullish().catch(null) })

export const OrderReply = z.looseObject({
  listOfResultCodes: ResultCodes.nullish().catch(null),
  shipmentID: z.string().regex(/^[\w-]{1,35}$/),
  shipmentOrderID: z.union([z.string(), z.number()]).transform(String).nullish(),
  /** Base64. */
  labelImage: z.string().nullish(),
})

export const TrackingReply = z.looseObject({
  shipmentinfo: z.array(
    z.looseObject({
      shipmentID: z.string(),
      result: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
      status: z
        .array(
          z.looseObject({
            timestamp: z.string(),
            code: z.string().nullish(),
            description: z.string().nullish(),
            scanningUnit: z.looseObject({ name: z.string().nullish(), city: z.string().nullish() }).nullish(),
          }),
        )
        .nullish(),
    }),
  ),
})
