/** Printers of a station: which one takes which kind of document, and which one prints when that one cannot. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { stationPrintersSchemas } from './station-printers.schemas.ts'

export const stationPrinters = contract<typeof stationPrintersSchemas>({
  name: 'stationPrinters',
  area: 'printing',
  access: access.station,
  internal: true,
}).calls({
  list: call('GET station_printers'),
  get: call('GET stations/{id}/printers'),
  set: call('POST stations/{id}/printers', { access: ['admin', 'settings_admin', 'scan_admin'] }),
})
