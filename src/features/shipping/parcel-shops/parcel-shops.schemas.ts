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
  locker: z.boolean(),
  /** When the courier last named it; null where it was asked just now. */
  seen_at: z.string().nullable(),
})

/** What happens to an order whose parcel shop is closed or full before its label is made. */
const ReplacementMode = z.enum(['ask', 'nearest'])
export type ReplacementMode = z.infer<typeof ReplacementMode>
const Replacement = z.object({
  mode: ReplacementMode,
  /** 0 before the first change. */
  version: z.number().int(),
})
export type Replacement = z.infer<typeof Replacement>

const ShopList = z.object({
  country: z.string(),
  asked_at: z.string().nullable(),
  /** When all shops were last read; null for couriers that are asked postcode by postcode. */
  read_at: z.string().nullable(),
  shops: z.number(),
  failure: z.string().nullable(),
})

const DeliveryOption = z.object({
  method: z.string(),
  sort_code: z.string(),
  name: z.string(),
  address1: z.string(),
  postcode: z.string(),
  city: z.string(),
  country: z.string(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  hours: z.array(z.object({ from: z.string(), to: z.string() })),
  cutoff_at: z.string().nullable(),
  eta: z.string().nullable(),
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
          /** Whether parcels can go with it through this program. */
          makes_labels: z.boolean(),
          methods: z.number().int(),
          /** When the company's account was asked for its methods; null where methods belong to the courier. */
          account_methods: z.object({ asked_at: z.string().nullable() }).nullable(),
          cancel: z.enum(['yes', 'before_hand_over', 'no']),
          tracking: z.boolean(),
          /** It sends events by itself. */
          webhook: z.boolean(),
          parcel_shops: z.boolean(),
          customs: z.boolean(),
        }),
      ),
      summary: 'Which couriers have every setting that they need, and what they offer through this program.',
    },
    test: {
      reply: z.object({
        ok: z.boolean(),
        words: z.string(),
        /** How many methods the account has, where methods belong to the account. */
        methods: z.number().int().nullable(),
      }),
      summary: 'Asks the courier something harmless with the saved settings, and the account for its methods; `words` is what it says.',
    },
    readMethods: {
      reply: z.object({ methods: z.number().int() }),
      summary: 'Asks the account for its methods, which take the place of those that are kept.',
    },
    bringCustomers: {
      reply: z.array(
        z.object({ customer_no: z.string(), name: z.string(), country: z.string().nullable(), services: z.array(z.string()) }),
      ),
      summary: 'The customer numbers on which the Bring user of the company may book.',
    },
    burdPostcodes: {
      query: z.object({
        postcodes: z
          .string()
          .max(1_000)
          .regex(/^ *\d{4} *(?:, *\d{4} *){0,99}$/, 'Enter up to 100 postcodes of four digits, with commas between them'),
        date: z.iso.date().optional(),
      }),
      reply: z.array(z.object({ postcode: z.string(), covered: z.boolean(), area: z.string().nullable(), dates: z.array(z.string()) })),
      summary: 'Whether Burd delivers to these postcodes, in which area, and on which of the next days, or on `date`.',
    },
    instaboxAvailability: {
      body: z.strictObject({
        recipient: z.strictObject({
          street: text(200).min(1, 'Enter the street and number'),
          postcode: text(20).min(1, 'Enter the postcode'),
          city: text(100),
          country: twoLetters,
          email: text(254).default(''),
          mobile: text(40).default(''),
        }),
        /** Instabox is asked for one parcel. */
        parcels: z
          .array(
            z.strictObject({
              weight_g: z.number().int().min(0).max(2_000_000),
              size_mm: z.tuple([z.number(), z.number(), z.number()]).nullable().default(null),
            }),
          )
          .length(1),
        /** Minor units of the currency. */
        value: z
          .strictObject({ amount: z.number().int().min(0), currency: z.string().regex(/^[A-Z]{3}$/) })
          .nullable()
          .default(null),
        services: z
          .array(z.enum(['locker', 'home']))
          .min(1)
          .max(2)
          .default(['locker', 'home']),
      }),
      reply: z.object({ token: z.string(), options: z.array(DeliveryOption) }),
      summary: 'In which lockers and in which evenings Instabox would deliver a parcel now; an empty list where it would not.',
    },
    shopLists: {
      reply: z.object({ countries: z.array(z.string()), lists: z.array(ShopList) }),
      summary: 'How many parcel shops of a courier are kept, by country, and when they were read.',
    },
    readShops: {
      body: z.strictObject({ country: twoLetters }),
      reply: z.object({ queued: z.boolean() }),
      summary: 'Reads a courier’s parcel shops of a country now.',
    },
    replacement: {
      reply: Replacement,
      summary: 'What happens to an order whose parcel shop is closed or full before its label is made.',
    },
    saveReplacement: {
      body: z.strictObject({ mode: ReplacementMode, version: z.number().int() }),
      reply: Replacement,
      summary:
        'Sets whether a closed parcel shop is replaced by the nearest one or asked about; 409 with the current state when the version is old.',
    },
    zipcodes: {
      params: { country: twoLetters },
      reply: z.array(z.object({ zipcode: z.string(), city: z.string(), agent_codes: z.array(z.string()) })),
      summary: 'Postcodes in which couriers have parcel shops, as far as they were asked; with the city and the couriers.',
    },
    find: {
      params: { country: twoLetters },
      query: z.object({
        postcode: text(20).min(1),
        address: text(120).optional(),
        method: text(64).optional(),
        /** Asks the courier although its list was read lately. */
        fresh: z.literal('1').optional(),
      }),
      reply: z.array(ParcelShop),
      summary:
        'The courier’s parcel shops near a postcode; with `method` those of one method. A list that was read in the last 26 hours answers at once, with `fresh=1` the courier does.',
    },
  },
} satisfies ContractSchemas
