/** Courier webhooks: the secret by which couriers prove the events that they send. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { courierWebhooksSchemas } from './courier-webhooks.schemas.ts'

export const courierWebhooks = contract<typeof courierWebhooksSchemas>({
  name: 'courierWebhooks',
  area: 'shipping',
  access: access.settings,
  internal: true,
}).calls({
  get: call('GET courier_webhooks/{agent_code}'),
  renew: call('POST courier_webhooks/{agent_code}'),
  remove: call('DELETE courier_webhooks/{agent_code}'),
})
