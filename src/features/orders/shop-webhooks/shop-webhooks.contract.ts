/** Web hooks: orders as WooCommerce and Shopify deliver them, signed with the secret that company and shop share. */
import { call, calls } from '#contract/endpoint.ts'
import { ShopCode } from '#features/company/api-keys/cms-keys.contract.ts'

/** Bytes; an order of 2,000 lines with everything that plug-ins add stays below. */
const largestDelivery = 5_000_000

export const shopWebhooks = calls(
  { name: 'shopWebhooks', area: 'orders', access: 'anyone', internal: true },
  {
    woocommerce: call('POST cms/webhook/woocommerce/{shop}', {
      params: { shop: ShopCode },
      upload: largestDelivery,
      external: true,
      rateLimit: { max: 3_000, seconds: 60 },
      summary:
        'A WooCommerce order web hook: the order as WooCommerce writes it, and in X-WC-Webhook-Signature its HMAC-SHA256 in base64 under the secret kept for this shop.',
    }),
    shopify: call('POST cms/webhook/shopify/{shop}', {
      params: { shop: ShopCode },
      upload: largestDelivery,
      external: true,
      rateLimit: { max: 3_000, seconds: 60 },
      summary:
        'A Shopify order web hook: the order as Shopify writes it, and in X-Shopify-Hmac-Sha256 its HMAC-SHA256 in base64 under the secret kept for this shop.',
    }),
  },
)
