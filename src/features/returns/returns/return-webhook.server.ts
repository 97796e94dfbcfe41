/** A return as outgoing webhooks send it: what the shop's key reads of it. */
import type { WebhookObject } from '#features/deliveries/webhooks/webhook-objects.server.ts'
import { ShopReturn } from './returns.schemas.ts'
import { returnForWebhook } from './shop-returns.queries.ts'

const example: ShopReturn = {
  rma_no: 'R-10021',
  order_no: '1001',
  external_id: '1001',
  status: 'arrived',
  withdrawal: false,
  requested_at: '2026-11-24T09:30:00.000Z',
  refund_due_at: null,
  proposals: [],
  items: [
    {
      item_id: 77,
      sku: 'MUG-BLUE',
      name: 'Enamel mug, blue',
      outcome: 'refund',
      reason_code: 'damaged',
      custody: 'received',
      money: 'none',
      condition: null,
      decision: null,
      amount: 7_500,
    },
  ],
}

export const returnObject: WebhookObject = {
  name: 'ShopReturn',
  schema: ShopReturn,
  example: { id: 9_001, data: example },
  read: (db, _services, _company, id) => returnForWebhook(db, id),
}
