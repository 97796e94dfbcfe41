/** Mails about printers that are offline. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { printerAlertsSchemas } from './printer-alerts.schemas.ts'

export const printerAlerts = contract<typeof printerAlertsSchemas>({
  name: 'printerAlerts',
  area: 'printing',
  access: access.settings,
  internal: true,
}).calls({
  get: call('GET printer_alerts'),
  set: call('POST printer_alerts'),
  test: call('POST printer_alerts/test', { rateLimit: { max: 10, seconds: 60 } }),
})
