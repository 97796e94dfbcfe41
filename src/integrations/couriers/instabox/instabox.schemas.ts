/** What Instabox answers. Source: an open-source module of Magento. */
import * as z from 'zod'

export const TokenReply = z.looseObject({ status: z.literal('ok'), token: z.string().min(1) })

const text = z.string().trim().nullish().catch(null)
const number = z.number().nullish().catch(null)

const DeliveryOption = z.looseObject({
  sort_code: z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1)),
  description: text,
  address: z.looseObject({ street: text, zip: text, city: text, country: text }).nullish().catch(null),
  coordinates: z.looseObject({ lat: number, long: number }).nullish().catch(null),
  openhours: z
    .array(z.looseObject({ open_utc: text, close_utc: text }))
    .nullish()
    .catch(null),
  cutoff_datetime_utc: text,
  eta: z.looseObject({ datetime_utc: text }).nullish().catch(null),
})
export type OfferedDelivery = z.infer<typeof DeliveryOption>

export const AvailabilityReply = z.looseObject({
  status: z.literal('OK'),
  availability_token: z.string().min(1),
  availability: z.record(
    z.string(),
    z.looseObject({
      show_as_option: z.boolean().catch(false),
      dispatch_options: z.array(z.looseObject({ delivery_options: z.array(DeliveryOption).catch([]) })).catch([]),
    }),
  ),
})

/** What an order is answered with is documented nowhere: the waybill says whether it was made. */
export const OrderReply = z.looseObject({})
