/** Schemas of the calls in shipping-methods.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'

/** A label is always printed; these besides, on the A4 printer, where the method asks for them. */
export const documents = ['slip'] as const
export const MethodType = z.enum(['parcel', 'letter', 'pallet'])

const ShopCodes = z.array(text(limits.code).min(1)).max(50)
const PackingText = text(500).nullable()
const Name = text(limits.name).min(1)

export const ShippingMethod = z.object({
  agent_code: z.string(),
  /** The courier's name. */
  courier: z.string(),
  shipping_method: z.string(),
  type: z.string(),
  name: z.string(),
  active: z.boolean(),
  /** Used although it is not active, because none is: a first parcel needs no settings. */
  fallback: z.boolean(),
  check_tracking_and_trace: z.boolean(),
  /** What the shop calls it: imported orders with one of these go by this method. */
  shop_codes: z.array(z.string()),
  /** Shown to the packer. */
  packing_text: z.string().nullable(),
  /** A handling picture of its own, and one that the company shows where there is none. */
  has_image: z.boolean(),
  has_default_image: z.boolean(),
  documents: z.array(z.enum(documents)),
  service_point: z.enum(['none', 'optional', 'required']),
  max_weight_g: z.number().int().nullable(),
  /** ISO codes; empty is everywhere. */
  countries: z.array(z.string()),
  /** False when the courier no longer offers it. */
  offered: z.boolean(),
  /** 0 until something was set. */
  version: z.number().int(),
})
export type ShippingMethod = z.infer<typeof ShippingMethod>

export const MethodChange = z.strictObject({
  version: z.number().int().min(0),
  name: Name.optional(),
  shop_codes: ShopCodes.optional(),
  packing_text: PackingText.optional(),
  documents: z.array(z.enum(documents)).max(documents.length).optional(),
})

const Switch = z.enum(['true', 'false', '1', '0'])

export const shippingMethodsSchemas = {
  components: { MethodType, ShippingMethod, MethodChange },
  calls: {
    list: {
      query: z.object({ agent_code: z.string().max(40).optional() }),
      reply: z.array(ShippingMethod),
      summary: 'The shipping methods of all couriers, and what the company set for them.',
    },
    get: {
      reply: ShippingMethod,
      summary: 'One shipping method.',
    },
    set: {
      params: { type: MethodType },
      body: MethodChange,
      reply: ShippingMethod,
      summary: 'Changes what is sent and leaves the rest; 409 with the current state when the version is old.',
    },
    setActive: {
      params: { active: Switch },
      reply: ShippingMethod,
      summary: 'Switches a shipping method on or off.',
    },
    setLabelCheck: {
      params: { toggle: Switch },
      reply: ShippingMethod,
      summary: 'Whether the packer proves with a scan that the fresh label belongs to the order.',
    },
    setDocument: {
      params: { active: Switch, attribute: z.enum(documents) },
      reply: ShippingMethod,
      summary: 'Whether this document is printed beside the label.',
    },
    setText: {
      params: { attribute: z.enum(['name', 'packing_text']) },
      body: z.strictObject({ value: text(500) }),
      reply: ShippingMethod,
      summary: 'Writes one text of the method.',
    },
    remove: {
      summary: 'Forgets what was set; the courier’s own stays.',
    },
    image: {
      summary: 'The handling picture; where the method has none, the default one.',
    },
    setImage: {
      summary: 'Sets the handling picture of a method.',
    },
    removeImage: {
      summary: 'Removes the handling picture of a method.',
    },
    defaultImage: {
      summary: 'The handling picture that is shown where a method has none.',
    },
    setDefaultImage: {
      summary: 'Sets the handling picture that is shown where a method has none.',
    },
    removeDefaultImage: {
      summary: 'Removes the handling picture that is shown where a method has none.',
    },
  },
} satisfies ContractSchemas
