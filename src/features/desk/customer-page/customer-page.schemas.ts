/** Schemas of the calls in customer-page.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { page, pageQuery } from '#contract/page.ts'
import { shipmentStates } from '#domain/order/shipment-states.ts'
import { DataRequest } from '#features/desk/erasure/erasure.schemas.ts'
import { phases } from '#features/orders/orders/orders.rules.ts'

const id = z.number().int()
const flag = z.enum(['0', '1', 'true', 'false', '']).transform(value => value === '1' || value === 'true')

export const CustomerOrder = z.object({
  id,
  company_id: id,
  order_no: z.string(),
  phase: z.enum(phases),
  ordered_at: z.string(),
  item_count: id,
  total_incl_vat: id.nullable(),
  currency: z.string(),
  city: z.string(),
  ship_country: z.string(),
  parcels: z.array(
    z.object({
      shipment_id: id,
      operation_code: z.enum(['outbound', 'return']),
      state: z.enum(shipmentStates),
      agent_code: z.string(),
      tracking_no: z.string().nullable(),
      delivered_at: z.string().nullable(),
    }),
  ),
})
export type CustomerOrder = z.infer<typeof CustomerOrder>

const Asked = z.object({
  /** Requests, one for each company that knows the person. */
  ids: z.array(id),
  /** They begin when the last open order has ended. */
  waiting: z.boolean(),
})

export const customerPageSchemas = {
  components: { CustomerOrder },
  calls: {
    orders: {
      query: pageQuery.extend({ all_companies: flag.optional() }),
      reply: page(CustomerOrder),
      summary:
        'The orders of a customer, the newest first: of the caller’s own company, or with `all_companies` of all companies (main-company staff only).',
    },
    erasePreview: {
      reply: z.object({ orders: id, open: id, rows: z.record(z.string(), id) }),
      summary:
        'What erasing a customer would touch: orders, open ones, and rows by table; of more than 200 orders the first 200 are counted.',
    },
    erase: {
      reply: Asked,
      summary: 'Erases the person: names, addresses, messages and files go, orders and figures stay. It waits while an order is open.',
    },
    copy: { reply: Asked, summary: 'Makes a copy of everything that is stored about the person, as a ZIP archive kept for seven days.' },
    requests: { query: pageQuery, reply: page(DataRequest), summary: 'Copies and erasures that were asked for of this customer.' },
    file: { summary: 'The archive of a copy, while it is kept.' },
  },
} satisfies ContractSchemas
