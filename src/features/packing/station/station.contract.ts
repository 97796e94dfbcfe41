/** The idle packing station: what waits for somebody, what just left, and the picture that says how to handle a parcel. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { packingStationSchemas } from './station.schemas.ts'

export const packingStation = contract<typeof packingStationSchemas>({
  name: 'station',
  area: 'packing',
  access: access.scan,
  workClass: 'scan',
  tenantScope: 'operator',
  internal: true,
}).calls({
  waiting: call('GET packing/bench/waiting'),
  queue: call('GET packing/bench/queue'),
  recent: call('GET packing/bench/recent'),
  handlingPicture: call('GET packing/bench/handling_picture/{order_id}', {
    media: 'image/*',
    external: true,
  }),
})
