/** What Shipmondo answers. Source: its OpenAPI document, version 3. */
import * as z from 'zod'

export const Problem = z.looseObject({ error: z.string().trim().min(1) })

export const BalanceReply = z.looseObject({ amount: z.number(), currency_code: z.string() })

/** Codes or fields, separated by commas. */
const list = z
  .string()
  .nullish()
  .catch(null)
  .transform(text =>
    (text ?? '')
      .split(',')
      .map(one => one.trim())
      .filter(Boolean),
  )

const NamedService = z.looseObject({ code: z.string().min(1), name: z.string().nullish().catch(null), required_fields: list })
const services = z.array(NamedService).nullish().catch([])
const intervals = z
  .array(z.looseObject({ to_weight: z.number().nullish() }))
  .nullish()
  .catch([])

const Product = z.looseObject({
  code: z.string().min(1),
  name: z.string().trim().min(1),
  own_agreement_available: z.boolean().nullish().catch(null),
  service_point_available: z.boolean().nullish().catch(null),
  service_point_required: z.boolean().nullish().catch(null),
  receiver_country_code: z.string().nullish().catch(null),
  required_fields: list,
  required_parcel_fields: list,
  carrier: z
    .looseObject({ name: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
  available_services: services,
  required_services: services,
  weight_intervals: intervals,
  ta_weight_intervals: intervals,
})
export type Product = z.infer<typeof Product>
export const ProductsReply = z.array(Product)

const number = z
  .union([z.string(), z.number()])
  .transform(value => String(value).trim())
  .nullish()
  .catch(null)

export const Shipment = z.looseObject({
  id: z.number().int(),
  reference: z.string().nullish(),
  pkg_no: number,
  parcels: z.array(z.looseObject({ pkg_no: number, pkg_nos: z.array(z.unknown()).nullish().catch(null) })).catch([]),
  labels: z
    .array(z.looseObject({ base64: z.string(), file_format: z.string() }))
    .nullish()
    .catch(null),
})
export type Shipment = z.infer<typeof Shipment>
export const ShipmentsReply = z.array(Shipment)
export const LabelsReply = z.array(z.looseObject({ base64: z.string(), file_format: z.string() }))

export const CancelReply = z.looseObject({ cancelled: z.boolean(), cancelled_at_carrier: z.boolean(), refunded: z.boolean() })

export const ServicePointsReply = z.array(
  z.looseObject({
    id: z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1)),
    name: z.string(),
    address: z.string().nullish().catch(null),
    zipcode: z.string().nullish().catch(null),
    city: z.string().nullish().catch(null),
    country: z.string().nullish().catch(null),
    distance: z.number().nullish().catch(null),
    opening_hours: z.array(z.string()).nullish().catch(null),
  }),
)

/** The body that Shipmondo sends: a token that was signed with the key of the webhook. */
export const PushedBody = z.looseObject({ data: z.string().max(60_000) })
/** The claims of a token about the monitor of a shipment. Source: three open-source clients that agree. */
export const PushedMonitor = z.looseObject({
  data: z.looseObject({
    current_status: z.string().max(60),
    current_status_text: z.string().nullish(),
    current_status_registered_at: z.string().max(60),
    carrier_track_id: z.union([z.string(), z.number()]).transform(String),
    city: z.string().nullish(),
  }),
})
