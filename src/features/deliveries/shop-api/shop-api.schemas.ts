/** Schemas of the calls in shop-api.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { CanonicalOrder, ImportAnswer, ImportBody, ImportProblem, ImportResult, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { ProductImport, WrittenProduct } from '#features/catalog/products/products.schemas.ts'

export const ShopOrder = z.object({
  order_id: z.number().int(),
  external_id: z.string(),
  order_no: z.string(),
  shop: z.string(),
  /** What people see: new, ready, held, in_pick, picked, in_pack, packed, handed_over, delivered, cancelled … */
  phase: z.string(),
  cancelled_at: z.string().nullable(),
  packed_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  ship_by: z.string().nullable(),
  /** Where the recipient follows it, for the shop's own mails. */
  tracking_url: z.string(),
  lines: z.array(
    z.object({
      external_id: z.string().nullable(),
      sku: z.string().nullable(),
      name: z.string(),
      qty: z.number().int(),
      packed_qty: z.number().int(),
      shipped_qty: z.number().int(),
    }),
  ),
  parcels: z.array(
    z.object({
      parcel_no: z.number().int(),
      agent_code: z.string(),
      shipping_method: z.string(),
      state: z.string(),
      tracking_no: z.string().nullable(),
      booked_at: z.string().nullable(),
    }),
  ),
})

const ProductAnswer = z.object({
  products: z.array(
    z.object({
      sku: z.string().nullable(),
      result: z.enum(['created', 'updated', 'unchanged', 'refused']),
      problems: z.array(ImportProblem),
    }),
  ),
})

const exampleProduct = { sku: 'MUG-BLUE', name: 'Enamel mug, blue', barcodes: ['5701234567899'], weight_g: 310, bin: 'A-01-1' }
const exampleOrder: WrittenOrder = {
  external_id: '1001',
  order_no: '1001',
  currency: 'DKK',
  payment_status: 'paid',
  ship_to: {
    name: 'Lene Holm',
    address1: 'Skibhusvej 52',
    postcode: '5000',
    city: 'Odense C',
    country: 'DK',
    phone: '20123456',
    email: 'lene@example.com',
  },
  lines: [
    {
      sku: 'MUG-BLUE',
      barcode: '5701234567899',
      name: 'Enamel mug, blue',
      qty: 2,
      unit_price_excl_vat: '60.00',
      vat_percent: '25',
      weight_g: 310,
    },
  ],
}

export const shopApiSchemas = {
  components: { CanonicalOrder, ImportResult, ShopOrder, ProductAnswer },
  calls: {
    sendOrders: {
      body: ImportBody,
      reply: ImportAnswer,
      itemSchema: CanonicalOrder,
      example: { body: exampleOrder },
      summary:
        'Sends one order, a list, or {orders: […]} with up to 500. Each is created, updated, unchanged or refused on its own; sending again changes nothing.',
    },
    sendProducts: {
      body: ProductImport,
      reply: ProductAnswer,
      itemSchema: WrittenProduct,
      example: { body: exampleProduct },
      summary: 'Sends one product, a list, or {products: […]} with up to 500. What the shop sends replaces what it sent before.',
    },
    order: {
      params: { external_id: text(100) },
      reply: ShopOrder,
      example: { external_id: exampleOrder.external_id },
      summary: 'How far an order is, its parcels with their tracking numbers, and the link under which its recipient follows it.',
    },
  },
} satisfies ContractSchemas
