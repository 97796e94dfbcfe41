/** Packing photos: stills of the open box of a parcel, taken by the station's camera and kept for a while. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { packingPhotosSchemas } from './packing-photos.schemas.ts'

/** As those who hold and share packing videos. */
const photoManagers = ['admin', 'parcels_admin', 'scan_admin'] as const

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
  remove: call('POST packing/photos/{id}/delete', { access: photoManagers, external: true }),
  hold: call('POST packing/photos/{id}/hold', { access: photoManagers }),
  release: call('DELETE packing/photos/{id}/hold', { access: photoManagers }),
  picture: call('GET packing/photos/{id}', { media: 'image/*', external: true }),
})
