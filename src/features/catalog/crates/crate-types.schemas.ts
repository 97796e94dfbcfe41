/** Schemas of the calls in crate-types.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { isCurrency } from '#domain/money.ts'
import { crateTypeSorts, crateWords } from './crates.codes.ts'

const whole = (least: number, most: number) => z.number().int().min(least).max(most)
const Sides = z.tuple([z.number().int(), z.number().int(), z.number().int()])
const WrittenSides = z.tuple([whole(1, 5_000), whole(1, 5_000), whole(1, 5_000)])
const flag = z.enum(['true', 'false']).transform(value => value === 'true')

export const CrateTypeFields = z.strictObject({
  name: text(limits.name).min(1, crateWords.name),
  /** Printed and scanned as `CR<code>`. */
  code: z
    .string()
    .trim()
    .regex(/^[\w.-]{1,40}$/, crateWords.code),
  barcode: text(limits.barcode)
    .nullable()
    .default(null)
    .transform(value => value || null),
  /** Length, width and height. */
  inner_mm: WrittenSides,
  outer_mm: WrittenSides,
  tare_g: whole(0, 2_000_000),
  /** Of the packed crate, its own weight included. */
  max_g: whole(1, 2_000_000),
  /** In minor units. */
  cost: whole(0, 100_000_000),
  currency: z.string().trim().toUpperCase().refine(isCurrency, crateWords.currency),
  /** Null where the stock is not counted. */
  stock: whole(0, 10_000_000).nullable().default(null),
  /** The main company is warned when the stock is not above it; null for no warning. */
  low_stock: whole(1, 10_000_000).nullable().default(null),
  filler_percent: whole(0, 90).default(0),
  /** Couriers that take it; null stands for all. */
  agent_codes: z.array(text(limits.code).min(1)).min(1).max(50).nullable().default(null),
  /** Companies whose orders are packed into it; null stands for all. */
  company_ids: z.array(z.number().int().positive()).min(1).max(200).nullable().default(null),
  letter_box: z.boolean().default(false),
  /** Longest sum of length, width and height that couriers take. */
  max_side_sum_mm: whole(1, 15_000).nullable().default(null),
  /** Of crates that cost the same, the lower one is suggested. */
  position: whole(0, 10_000).default(0),
  active: z.boolean().default(true),
})
export type CrateTypeFields = z.output<typeof CrateTypeFields>

export const CrateTypeChange = CrateTypeFields.extend({
  /** Without it the stock stays: packed parcels take from it at any time. */
  stock: CrateTypeFields.shape.stock.unwrap().optional(),
  version: z.number().int().min(1),
})
export type CrateTypeChange = z.output<typeof CrateTypeChange>

export const CrateType = z.object({
  id: z.number().int(),
  name: z.string(),
  code: z.string(),
  barcode: z.string().nullable(),
  inner_mm: Sides,
  outer_mm: Sides,
  tare_g: z.number().int(),
  max_g: z.number().int(),
  cost: z.number().int(),
  currency: z.string(),
  stock: z.number().int().nullable(),
  low_stock: z.number().int().nullable(),
  filler_percent: z.number().int(),
  agent_codes: z.array(z.string()).nullable(),
  company_ids: z.array(z.number().int()).nullable(),
  letter_box: z.boolean(),
  max_side_sum_mm: z.number().int().nullable(),
  position: z.number().int(),
  active: z.boolean(),
  has_image: z.boolean(),
  version: z.number().int(),
})
export type CrateType = z.infer<typeof CrateType>

const Question = z.object({
  query: z.string().trim().max(200).default(''),
  agent_code: text(limits.code).optional(),
  /** Of a company to which it is offered. */
  company: z.coerce.number<unknown>().int().positive().optional(),
  active: flag.optional(),
  /** In use, with a stock that is not above the one at which a warning is wanted. */
  low: flag.optional(),
  sort: z.enum(crateTypeSorts).default('position'),
})
export type CrateTypeQuestion = z.output<typeof Question>

export const crateTypesSchemas = {
  components: { CrateTypeFields, CrateTypeChange, CrateType },
  calls: {
    list: {
      query: pageQuery.extend(Question.shape),
      reply: page(CrateType),
      summary: 'Crates, page by page. A shop sees those that are offered to it.',
    },
    get: { reply: CrateType, summary: 'One crate.' },
    picture: { summary: 'The picture of a crate.' },
    create: { body: CrateTypeFields, reply: CrateType, summary: 'Makes a crate. Only the main company may.' },
    update: {
      body: CrateTypeChange,
      reply: CrateType,
      summary: 'Changes a crate; 409 with the current state when the version is old.',
    },
    remove: {
      reply: z.object({
        /** False where parcels went out in it: it is switched off instead. */
        removed: z.boolean(),
        active: z.literal(false),
      }),
      summary: 'Removes a crate. One that parcels went out in is switched off instead; 409 `crate_in_rules` while a rule demands it.',
    },
    setPicture: {
      reply: CrateType,
      summary: 'A JPEG, PNG, WebP, AVIF or GIF; it is drawn anew at most 800 pixels wide, without what cameras hide in it.',
    },
    removePicture: { reply: CrateType, summary: 'Removes the picture of a crate.' },
    restore: { reply: CrateType, summary: 'Takes back the removal of a crate, with its picture and the rules that name it.' },
    export: { query: Question, summary: 'The crates of the list as CSV.' },
  },
} satisfies ContractSchemas
