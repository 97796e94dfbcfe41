/** Serial numbers: which products ask for one, what it must look like, and where it went. */
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import { SerialScope, SerialSettings } from '#features/company/companies/companies.contract.ts'

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

const readers = [...access.serials, 'settings_admin', 'settings', 'scan_admin', 'scan'] as const
const writers = [...access.serials, 'settings_admin'] as const

export const serialNumbers = calls(
  {
    name: 'serialNumbers',
    area: 'packing',
    access: access.serials,
    tenantScope: 'operator',
    schemas: { SerialCheck, SerialConfig, Serial },
  },
  {
    config: call('GET company/product_unique_identifier', {
      query: z.object(ofCompany),
      reply: SerialConfig,
      access: readers,
      summary: 'How a company records serial numbers, and its rules.',
    }),
    // `{company}` in the specification: that name stands for the first part of every path.
    configure: call('POST company/product_unique_identifier/{code}/{property}/{value}', {
      params: { code: z.string().max(31), property: z.string().max(60), value: z.string().max(60) },
      reply: SerialConfig,
      access: writers,
      summary:
        'Sets enabled (true, false), default_scope (product, company, none), letters (keep, upper) or min_length (1 to 20) of a company. Company scope is refused while a serial is out for two products.',
      example: { code: 'main', property: 'default_scope', value: 'company' },
    }),
    checks: call('GET product_unique_identifier/checks', {
      query: z.object(ofCompany),
      reply: z.object({ rows: z.array(SerialCheck) }),
      access: readers,
      summary: 'The rules for serial numbers.',
    }),
    update: call('POST product_unique_identifier/update/{regex}/with/{barcode}', {
      params: { regex: Pattern, barcode: Barcode },
      query: z.object({ ...ofCompany, scope: SerialScope.optional() }),
      reply: SerialCheck,
      access: writers,
      summary: 'A serial of this product must match the pattern whole. A second call for the same barcode replaces the pattern.',
    }),
    remove: call('DELETE product_unique_identifier/delete/{id}', {
      access: writers,
      summary: 'Removes a rule for serial numbers.',
    }),
    search: call('GET product_unique_identifier/search/{q}', {
      query: pageQuery,
      reply: page(Serial),
      summary: 'Searches the serial numbers that were packed.',
    }),
    list: call('GET product_unique_identifier/list', {
      query: pageQuery,
      reply: page(Serial),
      summary: 'The serial numbers that were packed, page by page.',
    }),
  },
)
