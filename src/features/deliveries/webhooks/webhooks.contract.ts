/** Outgoing webhooks: addresses of a company's own systems that get its events, signed and in order per object. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { webhooksSchemas } from './webhooks.schemas.ts'

export const webhooks = contract<typeof webhooksSchemas>({ name: 'webhooks', area: 'company', access: access.settings }).calls({
  list: call('GET company/webhooks'),
  save: call('POST company/webhooks'),
  remove: call('DELETE company/webhooks'),
  events: call('GET company/webhooks/events', { internal: true }),
  test: call('POST company/webhooks/{id}/test', { internal: true, external: true, rateLimit: { max: 20, seconds: 60 } }),
  rotate: call('POST company/webhooks/{id}/rotate', { internal: true }),
  resume: call('POST company/webhooks/{id}/resume', { internal: true }),
  replay: call('POST company/webhooks/{id}/replay', { internal: true }),
  deliveries: call('GET company/webhooks/{id}/deliveries', { internal: true, workClass: 'search' }),
  days: call('GET company/webhooks/{id}/days', { internal: true, workClass: 'search' }),
  exportDeliveries: call('GET company/webhooks/{id}/deliveries/export', { internal: true, media: 'text/csv', timeout: 'long' }),
  delivery: call('GET company/webhooks/{id}/deliveries/{delivery_id}', { internal: true }),
  sendAgain: call('POST company/webhooks/{id}/deliveries/{delivery_id}/send', { internal: true }),
})
