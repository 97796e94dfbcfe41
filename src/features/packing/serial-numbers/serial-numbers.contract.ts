/** Serial numbers: which products ask for one, what it must look like, and where it went. */
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { call, calls } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'

export const SerialCheck = z.object({
  id: z.number().int(),
  regex: z.string(),
  /** Of the product, or its SKU. */
  barcode: z.string(),
  product: z.string().nullable(),
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

const Pattern = z.string().min(1, 'A rule needs a pattern').max(limits.pattern)
const Barcode = z.string().trim().min(1, 'A rule needs a barcode').max(limits.barcode)

export const serialNumbers = calls(
  { name: 'serialNumbers', area: 'packing', access: access.serials, schemas: { SerialCheck, Serial } },
  {
    checks: call('GET product_unique_identifier/checks', {
      query: z.object({ company: z.string().max(31).optional() }),
      reply: z.object({ rows: z.array(SerialCheck) }),
      access: [...access.serials, 'settings_admin', 'settings', 'scan_admin', 'scan'],
      summary: 'The rules for serial numbers.',
    }),
    update: call('POST product_unique_identifier/update/{regex}/with/{barcode}', {
      params: { regex: Pattern, barcode: Barcode },
      reply: SerialCheck,
      access: [...access.serials, 'settings_admin'],
      summary: 'A serial of this product must match the pattern whole. A second call for the same barcode replaces the pattern.',
    }),
    remove: call('DELETE product_unique_identifier/delete/{id}', {
      access: [...access.serials, 'settings_admin'],
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
