/** Schemas of the calls in serial-numbers.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { SerialScope, SerialSettings } from '#features/company/companies/companies.schemas.ts'
import { mostExtractSteps, serialStates } from './serial-numbers.codes.ts'

/** One step on the way from a scanned code to the serial number in it. */
export const ExtractStep = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('position'),
    /** The first character, counted from 1. */
    start: z.number().int().min(1).max(256),
    /** Left out: to the end. */
    length: z.number().int().min(1).max(256).optional(),
  }),
  z.strictObject({
    kind: z.literal('part'),
    separator: z.string().min(1).max(3),
    /** Counted from 1; from the end with -1, -2 … */
    part: z
      .number()
      .int()
      .min(-20)
      .max(20)
      .refine(part => part !== 0),
  }),
])
export type ExtractStep = z.infer<typeof ExtractStep>
export const ExtractSteps = z.array(ExtractStep).max(mostExtractSteps)

export const SerialCheck = z.object({
  id: z.number().int(),
  regex: z.string(),
  /** Of the product, or its SKU. */
  barcode: z.string(),
  product: z.string().nullable(),
  /** Where a serial of this rule goes out once only. All products with the same pattern share it. */
  scope: SerialScope,
  /** Where the serial number stands in a longer code; empty where the code is the serial number. Products with the same pattern share it. */
  extract: z.array(ExtractStep),
  created_at: z.string(),
})
export type SerialCheck = z.infer<typeof SerialCheck>

export const Serial = z.object({
  id: z.number().int(),
  serial: z.string(),
  sku: z.string(),
  product: z.string(),
  order_id: z.number().int(),
  order_no: z.string(),
  customer_name: z.string(),
  company_id: z.number().int(),
  company: z.string(),
  state: z.enum(serialStates),
  /** Of the parcel that holds it; null while it has no label. */
  tracking_no: z.string().nullable(),
  /** The parcel that it was packed into; null where it was added in the office. */
  parcel_no: z.number().int().nullable(),
  /** Null for a serial that was added in the office. */
  session_id: z.number().int().nullable(),
  packer: z.string().nullable(),
  station: z.string().nullable(),
  created_at: z.string(),
  returned_at: z.string().nullable(),
})
export type Serial = z.infer<typeof Serial>

const Day = z.iso.date('Enter the day as 2026-11-21')

/** What narrows the list. `from` and `to` are days of the caller's company, both included. */
const SerialQuestion = z.object({
  state: z.enum(serialStates).optional(),
  /** Of the order line, in any letters. */
  sku: text(limits.code).optional(),
  from: Day.optional(),
  to: Day.optional(),
  company_id: z.coerce.number<unknown>().int().positive().optional(),
  /** A range of serial numbers, both ends included: shorter ones come before longer ones, so that SN9 comes before SN10. */
  first: text(limits.barcode).optional(),
  last: text(limits.barcode).optional(),
})
export type SerialQuestion = z.infer<typeof SerialQuestion>
/** What is called back: serial numbers of one product, all of them or a range. */
const SerialRange = SerialQuestion.pick({ first: true, last: true, company_id: true })
export type SerialRange = z.infer<typeof SerialRange> & { sku: string }
const ofProduct = { sku: text(limits.code).min(1) }
/** The beginning of a serial number. */
const query = text(limits.barcode).optional()

/** The settings of one company, with its rules. */
const SerialConfig = z.object({ company: z.string(), ...SerialSettings.shape, rules: z.array(SerialCheck) })

/** The steps as JSON. */
const Extract = z.string().max(600)

/** One of the own companies; main-company staff reach all companies of their operator. */
const ofCompany = { company: z.string().max(31).optional() }

const Pattern = z.string().min(1, 'A rule needs a pattern').max(limits.pattern)
const Barcode = z.string().trim().min(1, 'A rule needs a barcode').max(limits.barcode)

export const serialNumbersSchemas = {
  components: { SerialCheck, SerialConfig, Serial },
  calls: {
    config: {
      query: z.object(ofCompany),
      reply: SerialConfig,
      summary: 'How a company records serial numbers, and its rules.',
    },
    configure: {
      params: { code: z.string().max(31), property: z.string().max(60), value: z.string().max(60) },
      reply: SerialConfig,
      summary:
        'Sets enabled (true, false), default_scope (product, company, none), letters (keep, upper), min_length (1 to 20), ask_at (pack, close), allow_typed (true, false) or mode (outbound, stock: only imported ones) of a company. Company scope is refused while a serial is out for two products.',
      example: { code: 'main', property: 'default_scope', value: 'company' },
    },
    checks: {
      query: z.object(ofCompany),
      reply: z.object({ rows: z.array(SerialCheck) }),
      summary: 'The rules for serial numbers.',
    },
    update: {
      params: { regex: Pattern, barcode: Barcode },
      query: z.object({ ...ofCompany, scope: SerialScope.optional(), extract: Extract.optional() }),
      reply: SerialCheck,
      summary:
        'A serial of this product must match the pattern whole. A second call for the same barcode replaces the pattern. `extract` is JSON: up to three steps from a longer code to the serial number, `{ "kind": "position", "start", "length"? }` or `{ "kind": "part", "separator", "part" }`; it stays where it is left out.',
      example: { regex: '[a-z][0-9]{10,12}', barcode: 'LAMP-1', extract: '[{"kind":"part","separator":";","part":1}]' },
    },
    tryRule: {
      query: z.object({ ...ofCompany, code: text(limits.barcode).min(1), regex: Pattern, extract: Extract.optional() }),
      reply: z.object({ serial: z.string(), fits: z.boolean() }),
      summary: 'What a rule would read from a code, and whether that is a serial number; nothing is saved.',
      example: {
        code: 'SN:a1234567890;LOT7',
        regex: '[a-z][0-9]{10,12}',
        extract: '[{"kind":"part","separator":";","part":1},{"kind":"position","start":4}]',
      },
    },
    remove: {
      summary: 'Removes a rule for serial numbers.',
    },
    search: {
      query: pageQuery.extend(SerialQuestion.shape),
      reply: page(Serial),
      summary: 'Searches the serial numbers that were packed.',
    },
    list: {
      query: pageQuery.extend(SerialQuestion.shape).extend({ query }),
      reply: page(Serial),
      summary: 'The serial numbers that were packed, the newest first, with order, parcel and packer.',
    },
    export: {
      query: SerialQuestion.extend({ query }),
      summary: 'The same list as CSV. Refused where it has more than 20,000 rows.',
    },
    recall: {
      params: ofProduct,
      query: SerialRange,
      reply: z.object({
        serials: z.number().int(),
        orders: z.number().int(),
        order_ids: z.array(z.number().int()),
        unreachable: z.number().int(),
      }),
      summary:
        'How many serial numbers of a product went out, with how many orders, and how many of those have neither e-mail nor phone. `order_ids` names up to 500 orders, as many as one message reaches; with more it is empty.',
      example: { sku: 'LAMP-1', first: 'SN100', last: 'SN250' },
    },
    recallCsv: {
      params: ofProduct,
      query: SerialRange,
      summary: 'The recipients of these serial numbers with their addresses, as CSV. Refused where it has more than 20,000 rows.',
    },
  },
} satisfies ContractSchemas
