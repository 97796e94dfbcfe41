/** Schemas of the calls in shop-webhooks.contract.ts, with what the API documentation says of them. */
import type { ContractSchemas } from '#contract/endpoint.ts'
import { ShopCode } from '#features/company/api-keys/cms-keys.schemas.ts'

export const shopWebhooksSchemas = {
  calls: {
    woocommerce: {
      params: { shop: ShopCode },
      summary:
        'A WooCommerce order web hook: the order as WooCommerce writes it, and in X-WC-Webhook-Signature its HMAC-SHA256 in base64 under the secret kept for this shop.',
    },
    shopify: {
      params: { shop: ShopCode },
      summary:
        'A Shopify order web hook: the order as Shopify writes it, and in X-Shopify-Hmac-Sha256 its HMAC-SHA256 in base64 under the secret kept for this shop.',
    },
  },
} satisfies ContractSchemas
