/** Exceptions: orders that left a packing station with a problem, who sees to each, and until when. */
import { call, contract } from '#contract/endpoint.ts'
import type { exceptionsSchemas } from './exceptions.schemas.ts'

/** The office and the leads of the stations. */
export const exceptionReaders = ['admin', 'parcels_admin', 'parcels', 'scan_admin'] as const
export const exceptionSettingsWriters = ['admin', 'settings_admin'] as const

export const exceptions = contract<typeof exceptionsSchemas>({
  name: 'exceptions',
  area: 'packing',
  access: exceptionReaders,
  tenantScope: 'operator',
  internal: true,
}).calls({
  list: call('GET exceptions', { workClass: 'search' }),
  count: call('GET exceptions/count', { workClass: 'search' }),
  owners: call('GET exceptions/owners'),
  ownerGroups: call('GET exceptions/owner_groups', { access: [...exceptionReaders, 'settings_admin'] }),
  settings: call('GET exceptions/settings', { access: ['admin', 'settings_admin', 'settings', 'parcels_admin', 'scan_admin'] }),
  setSettings: call('POST exceptions/settings', { access: exceptionSettingsWriters }),
  exportAll: call('GET exceptions/export', { media: 'text/csv', timeout: 'long' }),
  assignMany: call('POST exceptions/assign', { external: true }),
  decisions: call('GET exceptions/decisions'),
  resolveMany: call('POST exceptions/resolve', { timeout: 'long', external: true }),
  get: call('GET exceptions/{id}'),
  assign: call('POST exceptions/{id}/assign'),
  note: call('POST exceptions/{id}/note'),
  resolve: call('POST exceptions/{id}/resolve'),
})
