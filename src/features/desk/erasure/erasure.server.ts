/** Carries out what shops ask for about persons: Shopify's deliveries customers/redact, customers/data_request and shop/redact. */
import type { FeatureModule } from '#platform/http/feature-module.ts'
import { requestErasure } from './erasure.commands.ts'

export const erasureServer: FeatureModule = {
  calls: {},
  handlers: {},
  subscribe: {
    'webhook.privacy': async (events, context) => {
      for (const { data } of events) {
        const { topic, source, shop, order_ids } = data
        const kind = topic === 'customers/data_request' ? 'report' : 'erase'
        await requestErasure(context, { kind, reason: `${source} ${topic}`, order_ids, shop: topic === 'shop/redact' ? shop : null })
      }
    },
  },
}
