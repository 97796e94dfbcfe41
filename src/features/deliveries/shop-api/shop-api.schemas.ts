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
  ordered_at: z.string(),
  cancelled_at: z.string().nullable(),
  packed_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  ship_by: z.string().nullable(),
  agent_code: z.string().nullable(),
  shipping_method: z.string().nullable(),
  currency: z.string(),
  /** Minor units. */
  total_incl_vat: z.number().int().nullable(),
  /** As the shop sent it; null once the person was erased. */
  ship_to: z.record(z.string(), z.unknown()).nullable(),
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
      /** The `external_id` of the line that sells this one as a part: a bundle is packed and sent as far as all its parts are. */
      bundle_of: z.string().nullable(),
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

export const ShopShipment = z.object({
  shipment_id: z.number().int(),
  order_id: z.number().int().nullable(),
  external_id: z.string().nullable(),
  order_no: z.string().nullable(),
  shop: z.string().nullable(),
  parcel_no: z.number().int(),
  operation_code: z.enum(['outbound', 'return']),
  agent_code: z.string(),
  shipping_method: z.string(),
  state: z.string(),
  tracking_no: z.string().nullable(),
  /** Where the recipient follows it. */
  tracking_url: z.string(),
  weight_g: z.number().int(),
  booked_at: z.string().nullable(),
  handed_over_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  cancelled_at: z.string().nullable(),
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

export const exampleShopOrder: z.infer<typeof ShopOrder> = {
  order_id: 48_211,
  external_id: '1001',
  order_no: '1001',
  shop: 'main',
  phase: 'packed',
  ordered_at: '2026-11-20T08:12:00.000Z',
  cancelled_at: null,
  packed_at: '2026-11-20T10:00:00.000Z',
  delivered_at: null,
  ship_by: '2026-11-20T15:00:00.000Z',
  agent_code: 'gls',
  shipping_method: 'parcel_shop',
  currency: 'DKK',
  total_incl_vat: 15_000,
  ship_to: { name: 'Lene Holm', address1: 'Skibhusvej 52', postcode: '5000', city: 'Odense C', country: 'DK' },
  tracking_url: 'https://demo.pakhus.example/tracking?o=48211&s=8d1f0c7b2a',
  lines: [{ external_id: '1', sku: 'MUG-BLUE', name: 'Enamel mug, blue', qty: 2, packed_qty: 2, shipped_qty: 0, bundle_of: null }],
  parcels: [
    {
      parcel_no: 1,
      agent_code: 'gls',
      shipping_method: 'parcel_shop',
      state: 'booked',
      tracking_no: '00370730254812345678',
      booked_at: '2026-11-20T10:00:00.000Z',
    },
  ],
}

export const exampleShipment: z.infer<typeof ShopShipment> = {
  shipment_id: 51_002,
  order_id: 48_211,
  external_id: '1001',
  order_no: '1001',
  shop: 'main',
  parcel_no: 1,
  operation_code: 'outbound',
  agent_code: 'gls',
  shipping_method: 'parcel_shop',
  state: 'booked',
  tracking_no: '00370730254812345678',
  tracking_url: 'https://demo.pakhus.example/tracking?o=48211&s=8d1f0c7b2a',
  weight_g: 620,
  booked_at: '2026-11-20T10:00:00.000Z',
  handed_over_at: null,
  delivered_at: null,
  cancelled_at: null,
}

export const shopApiSchemas = {
  components: { CanonicalOrder, ImportResult, ShopOrder, ShopShipment, ProductAnswer },
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
    changedOrders: {
      query: z.object({
        /** `next_cursor` of the last answer. Without it nothing is listed but the cursor to begin with. */
        changed_since: text(300).optional(),
        /** Without a cursor: begins at this time instead of now, at most 90 days ago. */
        from: z.iso.datetime({ offset: true }).optional(),
        limit: z.coerce.number<unknown>().int().min(1).max(500).default(100),
      }),
      reply: z.object({
        orders: z.array(ShopOrder),
        next_cursor: z.string(),
        /** There is more behind `next_cursor` already. */
        has_more: z.boolean(),
      }),
      summary:
        'Orders of the shop that changed since a cursor, each once with its present state. One that changed within the last two minutes may be listed again.',
    },
    order: {
      params: { external_id: text(100) },
      reply: ShopOrder,
      example: { external_id: exampleOrder.external_id },
      summary: 'How far an order is, its parcels with their tracking numbers, and the link under which its recipient follows it.',
    },
  },
} satisfies ContractSchemas
