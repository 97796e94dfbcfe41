/** Stations: the places where people pack, registered at first use, and how their printers are. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { stationsSchemas } from './stations.schemas.ts'

export const stations = contract<typeof stationsSchemas>({
  name: 'stations',
  area: 'printing',
  access: access.station,
  internal: true,
}).calls({
  list: call('GET stations'),
  // A name that is the code of an order of any of the companies is refused.
  use: call('POST stations/{name}/use', { tenantScope: 'operator' }),
  saveScanner: call('PUT stations/{name}/scanner'),
  health: call('GET stations/health', {
    external: true,
    // The warehouse's printers print every company's papers.
    tenantScope: 'operator',
  }),
})
