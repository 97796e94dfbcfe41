/** Paperless codes: the pool of totes, where each one is, and labels for them. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { paperlessOrdersSchemas, paperlessSchemas } from './paperless.schemas.ts'

/** Orders in these states are picked or packed, and may lie in a tote. */
export const workInTotes = ['ready', 'in_pick', 'picked', 'in_pack'] as const

export const paperless = contract<typeof paperlessSchemas>({
  name: 'paperless',
  area: 'warehouse',
  access: access.picks,
  tenantScope: 'operator',
  company: 'main',
}).calls({
  mapping: call('GET paperless/mapping'),
  one: call('GET paperless/mapping/{id}'),
  preview: call('POST paperless/code/preview', { media: 'application/pdf', external: true }),
  download: call('POST paperless/code/create/download', { media: 'application/pdf', external: true, timeout: 'long' }),
  print: call('POST paperless/code/create/on/{printer_id}', { external: true, timeout: 'long', ipLock: true }),
  release: call('POST picklist/release_paperless_codes/{x}/wagon/{y}'),

  lost: call('POST paperless/lost', { internal: true }),
  foundAgain: call('POST paperless/found', { internal: true }),
  free: call('POST paperless/free', { access: access.picksAdmin, internal: true }),
  bind: call('POST paperless/mapping/{id}/bind', { workClass: 'scan', internal: true }),
  remove: call('POST paperless/remove', { access: access.picksAdmin, internal: true }),
  export: call('GET paperless/export', { media: 'text/csv', timeout: 'long', internal: true }),
})

/** What every company of the operator may ask about a code. */
export const paperlessOrders = contract<typeof paperlessOrdersSchemas>({
  name: 'paperlessOrders',
  area: 'warehouse',
  access: access.bench,
  tenantScope: 'operator',
}).calls({
  orderOf: call('GET orders/paperless/{id}', { workClass: 'scan' }),
})
