/** Alerts about orders: written by the settings, seen at orders. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { orderAlertSettingsSchemas, orderAlertsSchemas } from './order-alerts.schemas.ts'

export const orderAlerts = contract<typeof orderAlertsSchemas>({
  name: 'orderAlerts',
  area: 'orders',
  access: access.settings,
  tenantScope: 'operator',
}).calls({
  search: call('GET alert_order/search/'),
  get: call('GET alert_order/get/{email}'),
  update: call('POST alert_order/update/{id}'),
  enable: call('POST alert_order/enable/{id}'),
  disable: call('POST alert_order/disable/{id}'),
  remove: call('DELETE alert_order/delete/{id}'),
  one: call('GET alert_order/one/{id}', { internal: true }),
  export: call('GET alert_order/export', { media: 'text/csv', internal: true }),
  ofOrder: call('GET alert_order/order/{id}', { access: access.parcels, internal: true }),
  settle: call('POST alert_order/order/{id}/settle/{hit_id}', { access: access.parcels, internal: true }),
})

export const orderAlertSettings = contract<typeof orderAlertSettingsSchemas>({
  name: 'orderAlertSettings',
  area: 'orders',
  access: access.settings,
}).calls({
  get: call('GET alert/settings/get'),
  set: call('POST alert/settings/set'),
})
