/** A fake Shopify shop: builds orders as its web hooks write them, and signs the deliveries. */
import { signatureOf } from './signature.ts'
import type { SentDelivery } from './woocommerce.fake.ts'

type Json = Record<string, unknown>

let nextId = 5_940_139_491_000

const money = (amount: string) => ({ shop_money: { amount, currency_code: 'DKK' }, presentment_money: { amount, currency_code: 'DKK' } })

export function shopifyLine(over: Json = {}): Json {
  const id = nextId++
  const { quantity = 2 } = over
  return {
    id,
    admin_graphql_api_id: `gid://shopify/LineItem/${id}`,
    attributed_staffs: [],
    current_quantity: quantity,
    fulfillable_quantity: quantity,
    fulfillment_service: 'manual',
    fulfillment_status: null,
    gift_card: false,
    grams: 200,
    name: 'T-shirt - White / L',
    price: '1000.00',
    price_set: money('1000.00'),
    product_exists: true,
    product_id: 632910392,
    properties: [],
    quantity,
    requires_shipping: true,
    sku: `TS-${id}`,
    taxable: true,
    title: 'T-shirt',
    total_discount: '0.00',
    total_discount_set: money('0.00'),
    variant_id: 39072856,
    variant_inventory_management: 'shopify',
    variant_title: 'White / L',
    vendor: null,
    tax_lines: [{ channel_liable: false, price: '400.00', price_set: money('400.00'), rate: 0.25, title: 'Moms' }],
    duties: [],
    discount_allocations: [],
    ...over,
  }
}

/** A paid order with prices that include VAT, as in Danish shops. */
export function shopifyOrder(over: Json = {}): Json {
  const id = nextId++
  const number = 1_000 + (id % 1_000)
  const address = {
    first_name: 'Lene',
    address1: 'Skibhusvej 52',
    phone: '+45 12 34 56 78',
    city: 'Odense C',
    zip: '5000',
    province: null,
    country: 'Denmark',
    last_name: 'Hansen',
    address2: '2. tv',
    company: null,
    latitude: 55.4,
    longitude: 10.4,
    name: 'Lene Hansen',
    country_code: 'DK',
    province_code: null,
  }
  return {
    id,
    admin_graphql_api_id: `gid://shopify/Order/${id}`,
    app_id: 580111,
    browser_ip: '192.0.2.1',
    buyer_accepts_marketing: false,
    cancel_reason: null,
    cancelled_at: null,
    closed_at: null,
    confirmed: true,
    contact_email: 'lene@example.test',
    created_at: '2026-11-10T11:30:00+01:00',
    currency: 'DKK',
    current_subtotal_price: '2000.00',
    current_total_discounts: '0.00',
    current_total_price: '2039.00',
    current_total_tax: '407.80',
    customer_locale: 'da-DK',
    discount_codes: [],
    email: 'lene@example.test',
    estimated_taxes: false,
    financial_status: 'paid',
    fulfillment_status: null,
    name: `#${number}`,
    note: 'Ved bagdøren',
    note_attributes: [],
    number: number - 1_000,
    order_number: number,
    payment_gateway_names: ['shopify_payments'],
    phone: null,
    presentment_currency: 'DKK',
    processed_at: '2026-11-10T11:30:00+01:00',
    source_name: 'web',
    subtotal_price: '2000.00',
    tags: 'gift, VIP',
    tax_exempt: false,
    tax_lines: [{ price: '407.80', rate: 0.25, title: 'Moms', price_set: money('407.80'), channel_liable: false }],
    taxes_included: true,
    test: false,
    total_discounts: '0.00',
    total_line_items_price: '2000.00',
    total_outstanding: '0.00',
    total_price: '2039.00',
    total_tax: '407.80',
    total_tip_received: '0.00',
    total_weight: 400,
    updated_at: '2026-11-10T11:31:12+01:00',
    billing_address: address,
    customer: {
      id: 77_000_001,
      email: 'lene@example.test',
      first_name: 'Lene',
      last_name: 'Hansen',
      phone: null,
      tags: '',
      currency: 'DKK',
      default_address: { ...address, id: 1, default: true },
    },
    discount_applications: [],
    fulfillments: [],
    line_items: [shopifyLine()],
    payment_terms: null,
    refunds: [],
    shipping_address: address,
    shipping_lines: [
      {
        id: id + 500_000,
        carrier_identifier: null,
        code: 'gls_shop',
        discounted_price: '39.00',
        is_removed: false,
        phone: null,
        price: '39.00',
        requested_fulfillment_service_id: null,
        source: 'shopify',
        title: 'GLS Pakkeshop',
        tax_lines: [{ channel_liable: false, price: '7.80', rate: 0.25, title: 'Moms' }],
        discount_allocations: [],
      },
    ],
    ...over,
  }
}

export function shopifyDelivery(
  body: unknown,
  {
    secret,
    topic = 'orders/create',
    webhookId = `b54557e4-bdd9-4b37-8a5f-${String(nextId++).padStart(12, '0')}`,
  }: { secret: string; topic?: string; webhookId?: string },
): SentDelivery {
  const raw = new TextEncoder().encode(JSON.stringify(body))
  return {
    raw,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Shopify-Captain-Hook',
      'x-shopify-topic': topic,
      'x-shopify-hmac-sha256': signatureOf(raw, secret),
      'x-shopify-shop-domain': 'sample-shop.myshopify.com',
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': webhookId,
      'x-shopify-event-id': webhookId,
      'x-shopify-triggered-at': '2026-11-10T10:31:13.000000000Z',
    },
  }
}
