/** Schemas of the calls in prices.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { listParam, page, pageQuery } from '#contract/page.ts'
import { isCurrency } from '#domain/money.ts'
import { readPostcodes } from '#domain/postcode-ranges.ts'
import { mostCombined } from '#features/orders/orders/combinations/combinations.codes.ts'
import { mostImported, priceColumns, priceWords, surchargeKinds } from './prices.codes.ts'

const whole = (least: number, most: number, words?: string) => z.number(words).int(words).min(least, words).max(most)
const Day = z.iso.date(priceWords.day)
const idIn = z.coerce.number<unknown>().int().positive().max(Number.MAX_SAFE_INTEGER)
const Currency = z.string().trim().toUpperCase().refine(isCurrency, priceWords.currency)
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null)
/** One of the own companies; main-company staff reach all companies of their operator. */
const ofCompany = z.object({ company: z.string().max(31).optional() })

const notBackwards = ({ valid_from, valid_to }: { valid_from: string; valid_to: string | null }) =>
  valid_to === null || valid_to >= valid_from
const backwards = { path: ['valid_to'], message: priceWords.backwards }
const version = { version: z.number().int().min(1) }

const Price = z.strictObject({
  agent_code: text(limits.code).min(1, priceWords.method),
  shipping_method: text(limits.code).min(1, priceWords.method),
  /** Null holds everywhere. */
  zone_id: orNull(z.number().int().positive()),
  max_g: whole(1, 2_000_000, priceWords.weight),
  max_length_mm: orNull(whole(1, 20_000)),
  /** Of length, width and height outside. */
  max_side_sum_mm: orNull(whole(1, 60_000)),
  /** Cubic centimetres that count as a kilogram. */
  volume_divisor: orNull(whole(100, 20_000)),
  /** Minor units, without VAT. */
  amount: whole(0, 100_000_000, priceWords.amount),
  /** For each kilogram that is begun above the step before. */
  per_kg_amount: orNull(whole(0, 100_000_000)),
  currency: Currency,
  valid_from: Day,
  valid_to: orNull(Day),
})
export const PriceFields = Price.refine(notBackwards, backwards)
export type PriceFields = z.output<typeof PriceFields>
const PriceChange = Price.extend(version).refine(notBackwards, backwards)

export const CourierPrice = z.object({
  id: z.number().int(),
  ...Price.shape,
  zone: z.string().nullable(),
  version: z.number().int(),
})
export type CourierPrice = z.output<typeof CourierPrice>

const Question = ofCompany.extend({
  agent_code: z.string().max(limits.code).optional(),
  shipping_method: z.string().max(limits.code).optional(),
  zone: z.coerce.number<unknown>().int().min(0).optional(),
  /** Prices that hold on this day. */
  on: Day.optional(),
})
export type PriceQuestion = z.output<typeof Question>

const Zone = z.strictObject({
  name: text(limits.name).min(1, priceWords.name),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1, priceWords.countries)
    .max(250),
  postcodes: text(2_000)
    .default('')
    .refine(list => readPostcodes(list).wrong === null, 'Write postcodes and ranges, such as 2100-2999, 9000, SW1*'),
})
export const ZoneFields = Zone
export type ZoneFields = z.output<typeof ZoneFields>
export const PriceZoneRow = z.object({ id: z.number().int(), ...Zone.shape, version: z.number().int(), prices: z.number().int() })
export type PriceZoneRow = z.output<typeof PriceZoneRow>

const Surcharge = z.strictObject({
  name: text(limits.name).min(1, priceWords.name),
  agent_code: text(limits.code).min(1, priceWords.courier),
  /** Null holds for all methods of the courier. */
  shipping_method: orNull(text(limits.code).min(1)),
  zone_id: orNull(z.number().int().positive()),
  kind: z.enum(surchargeKinds),
  amount: orNull(whole(0, 100_000_000)),
  currency: orNull(Currency),
  /** Thousandths of a percent: 8500 is 8.5 %. */
  percent_milli: orNull(whole(1, 1_000_000)),
  /** It holds for parcels above either of them. */
  over_g: orNull(whole(1, 2_000_000)),
  over_length_mm: orNull(whole(1, 20_000)),
  valid_from: Day,
  valid_to: orNull(Day),
})
const complete = [
  [({ kind, amount }: z.output<typeof Surcharge>) => kind !== 'amount' || amount !== null, 'amount', priceWords.amount],
  [({ kind, currency }: z.output<typeof Surcharge>) => kind !== 'amount' || currency !== null, 'currency', priceWords.currency],
  [
    ({ kind, percent_milli }: z.output<typeof Surcharge>) => kind !== 'percent' || percent_milli !== null,
    'percent_milli',
    priceWords.percent,
  ],
  [notBackwards, 'valid_to', priceWords.backwards],
] as const
const consistent = <T extends z.ZodType<z.output<typeof Surcharge>>>(schema: T): T =>
  complete.reduce((all, [holds, path, message]) => all.refine(holds, { path: [path], message }), schema)
export const SurchargeFields = consistent(Surcharge)
export type SurchargeFields = z.output<typeof Surcharge>
const SurchargeChange = consistent(Surcharge.extend(version))
export const SurchargeRow = z.object({ id: z.number().int(), ...Surcharge.shape, zone: z.string().nullable(), version: z.number().int() })
export type SurchargeRow = z.output<typeof SurchargeRow>

const Cells = z.partialRecord(z.enum(priceColumns), z.string().max(200))
export const ImportRow = z.object({
  row: z.number().int(),
  cells: Cells,
  /** What is wrong with a cell: a sentence with places, and what stands in them. */
  errors: z.partialRecord(
    z.enum(priceColumns),
    z.object({ text: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])).optional() }),
  ),
})
export type ImportRow = z.infer<typeof ImportRow>

export const PriceImport = z.object({
  /** True when the prices were stored. */
  saved: z.boolean(),
  rows: z.array(ImportRow),
  wrong: z.number().int(),
  /** New ones; those of the same first day that got these values; earlier ones that end the day before. */
  added: z.number().int(),
  replaced: z.number().int(),
  ended: z.number().int(),
})
export type PriceImport = z.infer<typeof PriceImport>

const TriedPrice = z.object({
  price: z
    .object({
      amount: z.number().int(),
      currency: z.string(),
      charged_g: z.number().int(),
      zone: z.string().nullable(),
      /** The step, whose name is empty, then each surcharge. */
      parts: z.array(z.object({ name: z.string(), amount: z.number().int() })),
    })
    .nullable(),
  why: z.enum(['no_price', 'too_heavy', 'too_large']).nullable(),
})

export const pricesSchemas = {
  components: { CourierPrice, PriceZoneRow, SurchargeRow, PriceImport, ImportRow, TriedPrice },
  calls: {
    list: {
      query: pageQuery.extend(Question.shape),
      reply: page(CourierPrice),
      summary: 'Price steps of the shipping methods by courier, method, zone and weight.',
    },
    create: {
      query: ofCompany,
      body: PriceFields,
      reply: CourierPrice,
      summary:
        'Adds a price step. An earlier price for the same ends the day before; 409 `price_overlap` where a later one begins on one of its days.',
    },
    update: {
      query: ofCompany,
      body: PriceChange,
      reply: CourierPrice,
      summary: 'Changes a price step; 409 with the current state when the version is old, or `price_overlap`.',
    },
    remove: { query: ofCompany, summary: 'Removes a price step. Shipments keep the price that they were booked at.' },
    import: {
      query: ofCompany,
      body: z
        .strictObject({
          /** A CSV file with a head. */
          text: z.string().max(500_000).optional(),
          /** Its rows, as this call answered them and a person corrected them. */
          rows: z
            .array(z.strictObject({ row: z.number().int(), cells: Cells }))
            .max(mostImported)
            .optional(),
          save: z.boolean(),
        })
        .refine(({ text, rows }) => (text === undefined) !== (rows === undefined), { message: 'Enter a file or its rows' }),
      reply: PriceImport,
      summary: 'Checks prices as CSV and stores them where `save` is true and no cell is wrong; mistakes are named at their cells.',
    },
    export: { query: Question, summary: 'The prices as CSV, in the form that the import takes.' },
    try: {
      query: ofCompany,
      body: z.strictObject({
        agent_code: text(limits.code).min(1),
        shipping_method: text(limits.code).min(1),
        country: z.string().regex(/^[A-Z]{2}$/),
        postcode: text(20).default(''),
        weight_g: whole(1, 2_000_000),
        outer_mm: orNull(z.tuple([whole(1, 20_000), whole(1, 20_000), whole(1, 20_000)])),
        on: Day.optional(),
      }),
      reply: TriedPrice,
      summary: 'What a parcel would cost, part by part.',
    },
    savings: {
      query: z.object({ orders: listParam(idIn, mostCombined), bulk_id: idIn.optional() }),
      reply: z.object({
        /** Parcels of several orders. */
        parcels: z.number().int(),
        /** Minor units; below zero where one parcel costs more than one for each order. */
        saved: z.array(z.object({ amount: z.number().int(), currency: z.string() })),
        /** Parcels for which the price tables have no price. */
        unpriced: z.number().int(),
      }),
      summary: 'What labels cost less by today’s price tables when orders go in one parcel: orders by their ids, or those of a preview.',
    },

    zones: { query: ofCompany, reply: z.array(PriceZoneRow), summary: 'The price zones of the company.' },
    createZone: { query: ofCompany, body: ZoneFields, reply: PriceZoneRow, summary: 'Adds a price zone.' },
    updateZone: {
      query: ofCompany,
      body: ZoneFields.extend(version),
      reply: PriceZoneRow,
      summary: 'Changes a price zone; 409 with the current state when the version is old.',
    },
    removeZone: { query: ofCompany, summary: 'Removes a price zone that no price and no surcharge uses.' },

    surcharges: { query: ofCompany, reply: z.array(SurchargeRow), summary: 'The surcharges of the company.' },
    createSurcharge: { query: ofCompany, body: SurchargeFields, reply: SurchargeRow, summary: 'Adds a surcharge.' },
    updateSurcharge: {
      query: ofCompany,
      body: SurchargeChange,
      reply: SurchargeRow,
      summary: 'Changes a surcharge; 409 with the current state when the version is old.',
    },
    removeSurcharge: { query: ofCompany, summary: 'Removes a surcharge.' },
  },
} satisfies ContractSchemas
