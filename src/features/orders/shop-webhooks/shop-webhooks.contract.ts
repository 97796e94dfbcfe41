/** Web hooks: orders as WooCommerce and Shopify deliver them, signed with the secret that company and shop share. */
import { call, contract } from '#contract/endpoint.ts'
import type { shopWebhooksSchemas } from './shop-webhooks.schemas.ts'

/** Bytes; an order of 2,000 lines with everything that plug-ins add stays below. */
const largestDelivery = 5_000_000

export const shopWebhooks = contract<typeof shopWebhooksSchemas>({
  name: 'shopWebhooks',
  area: 'orders',
  access: 'anyone',
  internal: true,
}).calls({
  woocommerce: call('POST cms/webhook/woocommerce/{shop}', {
    upload: largestDelivery,
    external: true,
    rateLimit: { max: 3_000, seconds: 60 },
  }),
  shopify: call('POST cms/webhook/shopify/{shop}', { upload: largestDelivery, external: true, rateLimit: { max: 3_000, seconds: 60 } }),
})
