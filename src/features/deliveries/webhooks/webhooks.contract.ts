/** Outgoing webhooks: addresses of a company's own systems that get its events, signed and in order per object. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { webhooksSchemas } from './webhooks.schemas.ts'

export const webhooks = contract<typeof webhooksSchemas>({ name: 'webhooks', area: 'company', access: access.settings }).calls({
  list: call('GET company/webhooks'),
  save: call('POST company/webhooks'),
  remove: call('DELETE company/webhooks'),
  replay: call('POST company/webhooks/{id}/replay', { internal: true }),
})
