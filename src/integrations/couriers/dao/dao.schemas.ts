/** What DAO answers. No public specification exists; the fields are those that its open-source clients read. */
import * as z from 'zod'

/** Numbers are written as numbers or as text. */
const Code = z.union([z.string(), z.number()]).transform(String)
const Written = z.string().nullish().catch(null)

/** The status of the HTTP answer is 200 all the same. */
export const Failure = z.looseObject({ status: z.literal('FEJL'), fejlkode: Code.nullish().catch(null), fejltekst: Written })

const success = { status: z.literal('OK') }
/** Nothing beside the status is read. */
export const SuccessReply = z.looseObject(success)

export const OrderReply = z.looseObject({
  ...success,
  resultat: z.looseObject({ stregkode: z.string().trim().min(1), udsortering: Written, ETA: Written }),
})

const Hours = z.looseObject({ man: Written, tir: Written, ons: Written, tor: Written, fre: Written, lor: Written, son: Written })
const Distance = z
  .union([z.number(), z.string().trim().min(1)])
  .transform(Number)
  .refine(Number.isFinite)
export const ShopsReply = z.looseObject({
  ...success,
  resultat: z.looseObject({
    pakkeshops: z
      .array(
        z.looseObject({
          shopId: Code,
          navn: z.string(),
          adresse: z.string().catch(''),
          postnr: Code.catch(''),
          bynavn: z.string().catch(''),
          afstand: Distance.nullish().catch(null),
          aabningstider: Hours.nullish().catch(null),
        }),
      )
      .nullish(),
  }),
})

export const TrackingReply = z.looseObject({
  ...success,
  resultat: z.looseObject({
    haendelser: z
      .array(z.looseObject({ tidspunkt: z.string(), haendelse: Code, beskrivelse: z.string().catch(''), sted: Written }))
      .catch([]),
  }),
})
