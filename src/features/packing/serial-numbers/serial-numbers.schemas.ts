/** Schemas of the calls in serial-numbers.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { SerialScope, SerialSettings } from '#features/company/companies/companies.schemas.ts'

export const SerialCheck = z.object({
  id: z.number().int(),
  regex: z.string(),
  /** Of the product, or its SKU. */
  barcode: z.string(),
  product: z.string().nullable(),
  /** Where a serial of this rule goes out once only. All products with the same pattern share it. */
  scope: SerialScope,
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
  created_at: z.string(),
  returned_at: z.string().nullable(),
})

/** The settings of one company, with its rules. */
const SerialConfig = z.object({ company: z.string(), ...SerialSettings.shape, rules: z.array(SerialCheck) })

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
        'Sets enabled (true, false), default_scope (product, company, none), letters (keep, upper), min_length (1 to 20), ask_at (pack, close) or allow_typed (true, false) of a company. Company scope is refused while a serial is out for two products.',
      example: { code: 'main', property: 'default_scope', value: 'company' },
    },
    checks: {
      query: z.object(ofCompany),
      reply: z.object({ rows: z.array(SerialCheck) }),
      summary: 'The rules for serial numbers.',
    },
    update: {
      params: { regex: Pattern, barcode: Barcode },
      query: z.object({ ...ofCompany, scope: SerialScope.optional() }),
      reply: SerialCheck,
      summary: 'A serial of this product must match the pattern whole. A second call for the same barcode replaces the pattern.',
    },
    remove: {
      summary: 'Removes a rule for serial numbers.',
    },
    search: {
      query: pageQuery,
      reply: page(Serial),
      summary: 'Searches the serial numbers that were packed.',
    },
    list: {
      query: pageQuery,
      reply: page(Serial),
      summary: 'The serial numbers that were packed, page by page.',
    },
  },
} satisfies ContractSchemas
