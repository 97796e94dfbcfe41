/** Schemas of the calls in parcel-shops.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'

const SettingField = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string().optional(),
  secret: z.boolean().optional(),
  required: z.boolean().optional(),
  multiline: z.boolean().optional(),
  choices: z.array(z.object({ value: z.string(), name: z.string() })).optional(),
})

export const CourierConfig = z.object({
  agent_code: z.string(),
  name: z.string(),
  /** What the courier asks for: the form is drawn from this. */
  fields: z.array(SettingField),
  /** Every field that is no secret. */
  values: z.record(z.string(), z.string()),
  /** Of each secret field the last four characters ('' when too short to show), or null while none is kept. */
  secrets: z.record(z.string(), z.string().nullable()),
  /** 0 until something was saved. */
  version: z.number().int(),
  updated_at: z.string().nullable(),
})
export type CourierConfig = z.infer<typeof CourierConfig>

const ParcelShop = z.object({
  id: z.string(),
  name: z.string(),
  address1: z.string(),
  postcode: z.string(),
  city: z.string(),
  country: z.string(),
  distance_m: z.number().nullable(),
  opening_hours: z.array(z.string()),
})

const twoLetters = z.string().regex(/^[a-z]{2}$/i, 'Enter the country as two letters')

export const parcelShopsSchemas = {
  components: { CourierConfig },
  calls: {
    config: {
      reply: CourierConfig,
      summary: 'The settings of a courier and their fields; secrets are never shown.',
    },
    setConfig: {
      body: z.strictObject({
        version: z.number().int().min(0),
        /** Absent stays; a secret is replaced by text and removed by null. */
        settings: z.record(z.string().max(60), z.string().max(20_000).nullable()),
      }),
      reply: CourierConfig,
      summary: 'Findings of the courier land on their fields; nothing is saved while one is an error.',
    },
    configured: {
      reply: z.array(
        z.object({
          agent_code: z.string(),
          name: z.string(),
          configured: z.boolean(),
          /** Whether `res/parcel_shop/{agent_code}/test` asks the courier. */
          can_test: z.boolean(),
          methods: z.number().int(),
          cancel: z.enum(['yes', 'before_hand_over', 'no']),
          tracking: z.boolean(),
          parcel_shops: z.boolean(),
          customs: z.boolean(),
        }),
      ),
      summary: 'Which couriers have every setting that they need, and what they offer through this program.',
    },
    test: {
      reply: z.object({ ok: z.boolean(), words: z.string() }),
      summary: 'Asks the courier something harmless with the saved settings; `words` is what it says.',
    },
    bringCustomers: {
      reply: z.array(
        z.object({ customer_no: z.string(), name: z.string(), country: z.string().nullable(), services: z.array(z.string()) }),
      ),
      summary: 'The customer numbers on which the Bring user of the company may book.',
    },
    zipcodes: {
      params: { country: twoLetters },
      reply: z.array(z.object({ zipcode: z.string(), city: z.string(), agent_codes: z.array(z.string()) })),
      summary: 'Postcodes in which couriers have parcel shops, as far as they were asked; with the city and the couriers.',
    },
    find: {
      params: { country: twoLetters },
      query: z.object({ postcode: text(20).min(1), address: text(120).optional() }),
      reply: z.array(ParcelShop),
      summary: 'The courier’s parcel shops near a postcode.',
    },
  },
} satisfies ContractSchemas
