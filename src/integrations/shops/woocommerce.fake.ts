/** A fake WooCommerce shop: builds orders as its REST API writes them, and signs deliveries as its web hooks do. */
import { signatureOf } from './signature.ts'

export interface SentDelivery {
  raw: Uint8Array
  headers: Record<string, string>
}

type Json = Record<string, unknown>

let nextId = 7_000

export function wooLine(over: Json = {}): Json {
  const id = nextId++
  return {
    id,
    name: 'Linen tea towel',
    product_id: 93,
    variation_id: 0,
    quantity: 2,
    tax_class: '',
    subtotal: '80.00',
    subtotal_tax: '20.00',
    total: '80.00',
    total_tax: '20.00',
    taxes: [{ id: 3, total: '20', subtotal: '20' }],
    meta_data: [],
    sku: `TOWEL-${id}`,
    price: 40,
    image: { id: '511', src: 'https://shop.example/wp-content/uploads/towel.jpg' },
    parent_name: null,
    bundled_by: '',
    bundled_items: [],
    ...over,
  }
}

/** A paid guest order, billed and sent to one address: WooCommerce leaves the shipping address empty then. */
export function wooOrder(over: Json = {}): Json {
  const id = nextId++
  return {
    id,
    parent_id: 0,
    status: 'processing',
    currency: 'DKK',
    version: '9.8.3',
    prices_include_tax: true,
    date_created: '2026-11-10T11:30:00',
    date_modified: '2026-11-10T11:31:12',
    discount_total: '0.00',
    discount_tax: '0.00',
    shipping_total: '31.20',
    shipping_tax: '7.80',
    cart_tax: '20.00',
    total: '139.00',
    total_tax: '27.80',
    customer_id: 0,
    order_key: 'wc_order_inventedkey',
    billing: {
      first_name: 'Lene',
      last_name: 'Hansen',
      company: '',
      address_1: 'Skibhusvej 52',
      address_2: '2. tv',
      city: 'Odense C',
      state: '',
      postcode: '5000',
      country: 'DK',
      email: 'lene@example.test',
      phone: '12 34 56 78',
    },
    shipping: {
      first_name: '',
      last_name: '',
      company: '',
      address_1: '',
      address_2: '',
      city: '',
      state: '',
      postcode: '',
      country: '',
      phone: '',
    },
    payment_method: 'quickpay',
    payment_method_title: 'Kort',
    transaction_id: '1234567890',
    customer_ip_address: '192.0.2.1',
    customer_user_agent: 'Mozilla/5.0',
    created_via: 'checkout',
    customer_note: 'Ved bagdøren',
    date_completed: null,
    date_paid: '2026-11-10T11:31:12',
    cart_hash: '0123456789abcdef0123456789abcdef',
    number: `2026-${id}`,
    meta_data: [{ id: 1, key: '_wc_order_attribution_source_type', value: 'organic' }],
    line_items: [wooLine()],
    tax_lines: [
      {
        id: 900,
        rate_code: 'DK-MOMS-1',
        rate_id: 3,
        label: 'Moms',
        compound: false,
        tax_total: '20.00',
        shipping_tax_total: '7.80',
        rate_percent: 25,
        meta_data: [],
      },
    ],
    shipping_lines: [
      {
        id: 901,
        method_title: 'GLS Pakkeshop',
        method_id: 'gls_shop',
        instance_id: '4',
        total: '31.20',
        total_tax: '7.80',
        taxes: [{ id: 3, total: '7.8', subtotal: '' }],
        meta_data: [],
      },
    ],
    fee_lines: [],
    coupon_lines: [],
    refunds: [],
    payment_url: '',
    is_editable: false,
    needs_payment: false,
    needs_processing: true,
    date_created_gmt: '2026-11-10T10:30:00',
    date_modified_gmt: '2026-11-10T10:31:12',
    date_completed_gmt: null,
    date_paid_gmt: '2026-11-10T10:31:12',
    currency_symbol: 'kr.',
    _links: { self: [{ href: `https://shop.example/wp-json/wc/v3/orders/${id}` }] },
    ...over,
  }
}

export function wooDelivery(
  body: unknown,
  {
    secret,
    topic = 'order.updated',
    deliveryId = `${nextId++}`,
    webhookId = '7',
  }: { secret: string; topic?: string; deliveryId?: string; webhookId?: string },
): SentDelivery {
  const raw = new TextEncoder().encode(JSON.stringify(body))
  return {
    raw,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'WooCommerce/9.8.3 Hookshot (WordPress/6.8)',
      'x-wc-webhook-source': 'https://shop.example/',
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-resource': 'order',
      'x-wc-webhook-event': topic.replace(/^order\./, ''),
      'x-wc-webhook-signature': signatureOf(raw, secret),
      'x-wc-webhook-id': webhookId,
      'x-wc-webhook-delivery-id': deliveryId,
    },
  }
}

/** The first delivery of a new web hook: unsigned form data. */
export const wooPing = (webhookId = 7): SentDelivery => ({
  raw: new TextEncoder().encode(`webhook_id=${webhookId}`),
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'WooCommerce/9.8.3 Hookshot (WordPress/6.8)' },
})
