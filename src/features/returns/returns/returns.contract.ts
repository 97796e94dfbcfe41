/** Returns at the desk: what customers send back, what is done with each piece, and what the shop is asked to pay. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { returnsSchemas } from './returns.schemas.ts'

const settings = { access: [...access.settings, 'rma_admin'] } as const
const reader = { access: access.returns } as const
/** A shop's program with its key. */
const shop = { access: 'shop', tenantScope: 'company' } as const

export const returns = contract<typeof returnsSchemas>({
  name: 'returns',
  area: 'returns',
  access: access.returnsDesk,
  internal: true,
}).calls({
  search: call('GET returns/search/', { ...reader, tenantScope: 'operator', workClass: 'search' }),
  count: call('GET returns/count', { ...reader, tenantScope: 'operator', workClass: 'search' }),
  exportAll: call('GET returns/export', { ...reader, tenantScope: 'operator', media: 'text/csv', timeout: 'long' }),
  reasons: call('GET returns/reasons', { ...reader, tenantScope: 'operator' }),
  saveReason: call('POST returns/reasons/{code}', settings),
  resetReason: call('DELETE returns/reasons/{code}', settings),
  orderReasons: call('POST returns/reason_order', settings),
  settings: call('GET returns/settings', settings),
  setSettings: call('POST returns/settings', settings),
  ofOrder: call('GET returns/order/{order_id}', { ...reader, tenantScope: 'operator' }),
  ofCustomer: call('GET returns/customer/{customer_id}', { access: access.customers, tenantScope: 'operator' }),
  scan: call('POST returns/by_code', { tenantScope: 'operator', workClass: 'scan' }),
  terms: call('POST returns/order/{order_id}/terms', { tenantScope: 'operator' }),
  create: call('POST returns', { tenantScope: 'operator' }),
  createOrphan: call('POST returns/orphan', { tenantScope: 'operator', upload: limits.picture, external: true }),
  get: call('GET returns/{id}', { ...reader, tenantScope: 'operator' }),
  likelyOrders: call('GET returns/{id}/likely_orders', { tenantScope: 'operator', workClass: 'search' }),
  link: call('POST returns/{id}/link/{order_id}', { tenantScope: 'operator' }),
  approve: call('POST returns/{id}/approve', { tenantScope: 'operator' }),
  reject: call('POST returns/{id}/reject', { tenantScope: 'operator' }),
  cancel: call('POST returns/{id}/cancel', { tenantScope: 'operator' }),
  reopen: call('POST returns/{id}/reopen', { tenantScope: 'operator' }),
  close: call('POST returns/{id}/close', { tenantScope: 'operator' }),
  arrive: call('POST returns/{id}/arrive', { tenantScope: 'operator' }),
  weigh: call('POST returns/{id}/weigh', { tenantScope: 'operator', workClass: 'scan' }),
  add: call('POST returns/{id}/add', { tenantScope: 'operator', workClass: 'scan' }),
  decide: call('POST returns/{id}/decide', { tenantScope: 'operator' }),
  propose: call('POST returns/{id}/propose', { tenantScope: 'operator' }),
  waive: call('POST returns/{id}/waive', { tenantScope: 'operator' }),
  addFile: call('POST returns/{id}/files', { tenantScope: 'operator', upload: limits.picture, external: true }),
  file: call('GET returns/{id}/files/{file_id}', { ...reader, tenantScope: 'operator', media: 'image/*', external: true }),
  inspect: call('POST returns/{id}/items/{item_id}/inspect', { tenantScope: 'operator', workClass: 'scan' }),
  exchange: call('POST returns/{id}/items/{item_id}/exchange', { tenantScope: 'operator' }),
  missing: call('POST returns/{id}/items/{item_id}/missing', { tenantScope: 'operator' }),
  undo: call('POST returns/{id}/items/{item_id}/undo', { tenantScope: 'operator' }),
  confirm: call('POST returns/{id}/money/{no}/confirm', { tenantScope: 'operator' }),
  deny: call('POST returns/{id}/money/{no}/deny', { tenantScope: 'operator' }),
  doubt: call('POST returns/{id}/money/{no}/doubt', { tenantScope: 'operator' }),
  shopReturns: call('GET cms/returns', shop),
  shopMoney: call('POST cms/returns/{rma_no}/money', shop),
})
