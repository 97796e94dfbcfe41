/** Schemas of the calls in order-exports.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { exportColumns, sorts } from '#features/orders/orders/orders.codes.ts'
import { OrderFilters } from '#features/orders/orders/orders.schemas.ts'
import { exportFormats } from './order-exports.codes.ts'

export const OrderExport = z.strictObject({
  format: z.enum(exportFormats),
  columns: z
    .array(z.enum(exportColumns))
    .min(1)
    .max(exportColumns.length)
    .default([...exportColumns]),
  filters: OrderFilters.partial().default({}),
  sort: z.enum(sorts).default('newest'),
  /** Decimal commas and semicolons outside English. */
  locale: Locale.default('en_GB'),
})
export type OrderExport = z.output<typeof OrderExport>

export const orderExportsSchemas = {
  components: { OrderExport },
  calls: {
    start: {
      body: OrderExport,
      reply: z.object({ job_id: z.number().int() }),
      summary:
        'Starts an export of the filtered and sorted list: CSV of at most 1,000,000 orders, or an Excel workbook of at most 50,000. `jobs/{id}/file` gives it for seven days.',
    },
  },
} satisfies ContractSchemas
