/** Packing photos: stills of the open box of a parcel, taken by the station's camera and kept for a while. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { packingPhotosSchemas } from './packing-photos.schemas.ts'

export const packingPhotos = contract<typeof packingPhotosSchemas>({
  name: 'packingPhotos',
  area: 'packing',
  /** As packing videos. */
  access: ['admin', 'parcels_admin', 'parcels', 'scan_admin'],
  tenantScope: 'operator',
  internal: true,
}).calls({
  take: call('POST packing/order/{id}/photo/{photo}', {
    access: access.scan,
    workClass: 'scan',
    ipLock: true,
    upload: limits.picture,
    external: true,
  }),
  list: call('GET packing/photos/order/{id}'),
  /** As keeping and sharing packing videos. */
  remove: call('POST packing/photos/{id}/delete', { access: ['admin', 'parcels_admin', 'scan_admin'], external: true }),
  picture: call('GET packing/photos/{id}', { media: 'image/*', external: true }),
})
