/** Messages to recipients: one, a list or what a filter finds; their states and answers; who wants none. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { messagesSchemas } from './messages.schemas.ts'

const settings = { access: access.settings, internal: true } as const

export const messages = contract<typeof messagesSchemas>({ name: 'messages', area: 'messages', access: access.parcels }).calls({
  send: call('POST order_sms/sms', { tenantScope: 'operator', external: true, workClass: 'bulk' }),
  quote: call('POST order_sms/sms/quote', { tenantScope: 'operator', external: true, workClass: 'search', internal: true }),
  orderList: call('GET order_sms/order/list/', { tenantScope: 'operator', workClass: 'search' }),
  ordersByIds: call('GET order_sms/order/list/by/ids', { tenantScope: 'operator' }),
  thread: call('GET sms/list_order/{id}', { tenantScope: 'operator' }),
  customerThread: call('GET messages/customer/{id}', { tenantScope: 'operator', internal: true }),
  groups: call('GET sms/groups/', { tenantScope: 'operator' }),
  group: call('GET sms/group/{id}', { tenantScope: 'operator' }),
  cancelGroup: call('POST sms/group/{id}/cancel', { tenantScope: 'operator', internal: true }),
  list: call('GET messages', { tenantScope: 'operator', workClass: 'search', internal: true }),
  export: call('GET messages/export', { tenantScope: 'operator', media: 'text/csv', internal: true }),
  count: call('GET messages/count', { tenantScope: 'operator', internal: true }),
  cancel: call('POST messages/{id}/cancel', { tenantScope: 'operator', internal: true }),
  settle: call('POST messages/{id}/settle', { tenantScope: 'operator', internal: true }),
  handle: call('POST messages/{id}/handle', { tenantScope: 'operator', internal: true }),
  reply: call('POST messages/reply', { tenantScope: 'operator', internal: true }),
  settings: call('GET messages/settings', settings),
  saveSettings: call('POST messages/settings', settings),
  optOuts: call('GET messages/opt_outs', { internal: true }),
  addOptOut: call('POST messages/opt_outs', { internal: true }),
  endOptOut: call('DELETE messages/opt_outs/{id}', { internal: true }),
  callback: call('POST message_callbacks/{account_id}/{key}', {
    access: 'anyone',
    internal: true,
    external: true,
    upload: 65_536,
    rateLimit: { max: 600, seconds: 60 },
  }),
})
