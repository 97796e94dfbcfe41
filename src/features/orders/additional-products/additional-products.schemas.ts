/** Schemas of the calls in additional-products.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale, text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { isCurrency } from '#domain/money.ts'
import { RuleJson } from '#domain/rules/rule-schemas.ts'
import {
  additionalProductSorts,
  additionFrequencies,
  additionHandlings,
  additionStates,
  additionWords,
  skipReasons,
} from './additional-products.codes.ts'

const whole = (least: number, most: number) => z.number().int().min(least).max(most)
const flag = z.enum(['true', 'false']).transform(value => value === 'true')
const orNull = (most: number) =>
  text(most)
    .nullable()
    .default(null)
    .transform(value => value || null)
const Day = z.iso.date(additionWords.day).nullable().default(null)
const Texts = z.partialRecord(Locale, text(200))

const Fields = z.strictObject({
  name: text(limits.name).min(1, additionWords.name),
  barcode: orNull(limits.barcode),
  /** What the packer reads, by language. */
  texts: Texts.default({}),
  /** Which orders get it, in the grammar of rules. */
  conditions: RuleJson,
  /** Once for each order, or once for each customer; orders without a customer do not get the latter. */
  per: z.enum(additionFrequencies).default('order'),
  qty: whole(1, 100).default(1),
  /** `show` only says so, `confirm` asks, `scan` wants its barcode. */
  handling: z.enum(additionHandlings).default('confirm'),
  bin: orNull(64),
  /** Pickers take it along: it is named with the slot of its order. */
  on_pick_list: z.boolean().default(false),
  /** Of one piece. */
  weight_g: whole(0, 100_000).default(0),
  hs_code: orNull(20),
  /** Of one piece, in minor units. */
  value: whole(0, 100_000_000).nullable().default(null),
  currency: z.string().trim().toUpperCase().refine(isCurrency, additionWords.currency).nullable().default(null),
  /** Null where the stock is not counted. */
  stock_left: whole(0, 10_000_000).nullable().default(null),
  valid_from: Day,
  valid_to: Day,
  /** Companies whose orders get it; null stands for all. */
  company_ids: z.array(z.number().int().positive()).min(1).max(200).nullable().default(null),
  position: whole(0, 10_000).default(0),
  active: z.boolean().default(true),
})

/** What people set of one; orders take from the stock. */
export const AdditionalProductSettings = Fields.omit({ stock_left: true })

const consistent = [
  [(one: z.output<typeof Fields>) => one.handling !== 'scan' || one.barcode !== null, 'barcode', additionWords.barcode],
  [(one: z.output<typeof Fields>) => (one.value === null) === (one.currency === null), 'value', additionWords.value],
  [
    (one: z.output<typeof Fields>) => one.valid_from === null || one.valid_to === null || one.valid_from <= one.valid_to,
    'valid_to',
    additionWords.dates,
  ],
] as const
type Checked = Omit<z.output<typeof Fields>, 'stock_left'>
const checks = (one: Checked, issues: { push(issue: { code: 'custom'; path: string[]; message: string; input: unknown }): unknown }) => {
  for (const [holds, field, message] of consistent)
    if (!holds({ ...one, stock_left: null })) issues.push({ code: 'custom', path: [field], message, input: one })
}

export const AdditionalProductFields = Fields.check(({ value, issues }) => checks(value, issues))
export type AdditionalProductFields = z.output<typeof AdditionalProductFields>
const Change = Fields.extend({
  version: z.number().int().min(1),
  /** Absent, the stock stays as orders have left it meanwhile. */
  stock_left: whole(0, 10_000_000).nullable().optional(),
}).check(({ value, issues }) => checks(value, issues))
export type AdditionalProductChange = z.output<typeof Change>

export const AdditionalProduct = z.object({
  id: z.number().int(),
  name: z.string(),
  barcode: z.string().nullable(),
  texts: Texts,
  conditions: RuleJson,
  /** True where the conditions cannot be read any more: no order gets it. */
  broken: z.boolean(),
  per: z.enum(additionFrequencies),
  qty: z.number().int(),
  handling: z.enum(additionHandlings),
  bin: z.string().nullable(),
  /** Pickers take it along. */
  on_pick_list: z.boolean(),
  weight_g: z.number().int(),
  hs_code: z.string().nullable(),
  value: z.number().int().nullable(),
  currency: z.string().nullable(),
  stock_left: z.number().int().nullable(),
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
  company_ids: z.array(z.number().int()).nullable(),
  position: z.number().int(),
  active: z.boolean(),
  has_image: z.boolean(),
  version: z.number().int(),
  /** Pieces that open orders wait for, and that went into parcels: of the companies that the caller sees. */
  planned: z.number().int(),
  packed: z.number().int(),
})
export type AdditionalProduct = z.infer<typeof AdditionalProduct>

export const OrderAddition = z.object({
  id: z.number().int(),
  additional_product_id: z.number().int(),
  name: z.string(),
  barcode: z.string().nullable(),
  texts: Texts,
  qty: z.number().int(),
  handling: z.enum(additionHandlings),
  bin: z.string().nullable(),
  has_image: z.boolean(),
  version: z.number().int(),
  state: z.enum(additionStates),
  skip_reason: z.enum(skipReasons).nullable(),
  /** Who packed it or left it out. */
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
})
export type OrderAddition = z.infer<typeof OrderAddition>

const Asked = z.object({
  query: z.string().trim().max(200).default(''),
  active: flag.optional(),
  /** Those whose orders may get it. */
  company: z.coerce.number<unknown>().int().positive().optional(),
  handling: z.enum(additionHandlings).optional(),
  /** `out`: counted, and none left. */
  stock: z.enum(['counted', 'out']).optional(),
  sort: z.enum(additionalProductSorts).default('position'),
})
export type AskedProducts = z.output<typeof Asked>

export const additionalProductsSchemas = {
  components: { AdditionalProductFields, AdditionalProduct, OrderAddition },
  calls: {
    list: {
      query: pageQuery.extend(Asked.shape),
      reply: page(AdditionalProduct),
      summary: 'Additional products, page by page. A shop sees those that its orders get.',
    },
    get: { reply: AdditionalProduct, summary: 'One additional product.' },
    picture: { summary: 'The picture of an additional product.' },
    create: {
      body: AdditionalProductFields,
      reply: AdditionalProduct,
      summary: 'Makes an additional product, which orders that meet its conditions get once they are ready. Only the main company may.',
    },
    update: {
      body: Change,
      reply: AdditionalProduct,
      summary:
        'Changes an additional product; 409 with the current state when the version is old. Orders that are being picked keep what they have.',
    },
    remove: { summary: 'Removes an additional product, also from the orders in which it is not packed yet.' },
    setPicture: {
      reply: AdditionalProduct,
      summary: 'A JPEG, PNG, WebP, AVIF or GIF; it is drawn anew at most 800 pixels wide, without what cameras hide in it.',
    },
    removePicture: { reply: AdditionalProduct, summary: 'Removes the picture of an additional product.' },
    export: { query: Asked, summary: 'Additional products as CSV.' },
    ofOrder: {
      reply: z.object({ rows: z.array(OrderAddition) }),
      summary: 'What rules added to an order, and what became of it.',
    },
  },
} satisfies ContractSchemas
