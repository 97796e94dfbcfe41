/** Templates of messages to recipients, and what they become for an order. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { templatesSchemas } from './templates.schemas.ts'

const writing = { access: [...access.settings, 'parcels_admin'] } as const
const reading = [...access.parcels, 'settings_admin'] as const

export const templates = contract<typeof templatesSchemas>({ name: 'templates', area: 'messages', access: reading }).calls({
  list: call('GET order_sms/template/list'),
  get: call('GET order_sms/template/{id}'),
  create: call('POST order_sms/template', { ...writing, external: true }),
  update: call('POST order_sms/template/{id}', { ...writing, external: true }),
  remove: call('DELETE order_sms/template/{id}', writing),
  preview: call('POST order_sms/sms/preview/{index}', { tenantScope: 'operator', workClass: 'search', external: true }),
  link: call('GET order_sms/template/{id}/preview_link', { internal: true }),
  page: call('POST email/template/preview', { access: 'anyone', internal: true, external: true, rateLimit: { max: 60, seconds: 60 } }),
})
