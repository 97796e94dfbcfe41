/** Parcel shops: a courier's settings of the company, and the shops it hands parcels out at. */
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { text } from '#contract/limits.ts'

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

/** The bench works by it, the settings show it. */
const readers = [...access.bench, 'settings_admin', 'settings'] as const

export const parcelShops = calls(
  { name: 'parcelShops', area: 'shipping', access: access.settings, schemas: { CourierConfig } },
  {
    config: call('GET res/parcel_shop/{agent_code}', {
      reply: CourierConfig,
      summary: 'The settings of a courier and their fields; secrets are never shown.',
    }),
    setConfig: call('POST res/parcel_shop/{agent_code}', {
      body: z.strictObject({
        version: z.number().int().min(0),
        /** Absent stays; a secret is replaced by text and removed by null. */
        settings: z.record(z.string().max(60), z.string().max(20_000).nullable()),
      }),
      reply: CourierConfig,
      summary: 'Findings of the courier land on their fields; nothing is saved while one is an error.',
    }),
    configured: call('GET label_generator/has_res_parcel_conf', {
      access: readers,
      reply: z.array(z.object({ agent_code: z.string(), name: z.string(), configured: z.boolean() })),
      summary: 'Which couriers have every setting that they need.',
    }),
    find: call('GET parcel_shops/find/{agent_code}/from/{country}', {
      access: readers,
      params: { country: z.string().regex(/^[a-z]{2}$/i, 'Write the country as two letters') },
      query: z.object({ postcode: text(20).min(1), address: text(120).optional() }),
      reply: z.array(ParcelShop),
      external: true,
      summary: 'The courier’s parcel shops near a postcode.',
    }),
  },
)
