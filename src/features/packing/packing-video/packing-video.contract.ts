/** Packing video: clips of packing sessions from recorders and from the station's own camera, kept for a while and shown by scan. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { mostChunkBytes } from './packing-video.codes.ts'
import type { packingVideoSchemas } from './packing-video.schemas.ts'

/** Who may see clips, and who may hold and share them. */
const videoReaders = ['admin', 'parcels_admin', 'parcels', 'scan_admin'] as const
const videoManagers = ['admin', 'parcels_admin', 'scan_admin'] as const

/** The station, and recorders of its cameras. */
const sender = { access: access.scan, ipLock: true, orKey: 'recorder' } as const

export const packingVideo = contract<typeof packingVideoSchemas>({
  name: 'packingVideo',
  area: 'packing',
  access: videoReaders,
  tenantScope: 'operator',
}).calls({
  recorders: call('GET dvr/authorization', { access: access.settings, orKey: 'recorder' }),
  addRecorder: call('POST dvr/authorization', { access: access.settings, company: 'main' }),
  revokeRecorder: call('DELETE dvr/authorization', { access: access.settings, company: 'main' }),
  changeRecorder: call('POST dvr/authorization/{id}', { access: access.settings, company: 'main', internal: true }),
  requests: call('GET dvr/requests', { access: 'recorder', internal: true }),

  create: call('POST dvr/api/create/order/{order_overview_id}', sender),
  upload: call('PUT dvr/uploads/{id}/{offset}', { ...sender, upload: mostChunkBytes, external: true, internal: true }),
  uploadState: call('GET dvr/uploads/{id}', { ...sender, internal: true }),
  finish: call('POST dvr/uploads/{id}/finish', { ...sender, status: 202, internal: true }),

  list: call('GET dvr/video_list/order/{id}'),
  get: call('GET dvr/video/{id}', { media: 'video/*', ticket: true, external: true }),
  ticket: call('POST dvr/video/{id}/ticket', { internal: true }),
  hold: call('POST dvr/video/{id}/hold', { access: videoManagers, internal: true }),
  release: call('DELETE dvr/video/{id}/hold', { access: videoManagers, internal: true }),
  share: call('POST dvr/video/{id}/share', { access: videoManagers, internal: true }),
  revokeShare: call('DELETE dvr/shares/{id}', { access: videoManagers, internal: true }),
  shared: call('POST dvr/shared', { access: 'anyone', internal: true, rateLimit: { max: 30, seconds: 60 } }),

  settings: call('GET dvr/settings', { access: [...access.settingsRead, 'scan_admin'], internal: true }),
  setSettings: call('POST dvr/settings', { access: access.settings, company: 'main', internal: true }),
  station: call('GET dvr/station', { access: access.scan, internal: true }),
  storage: call('GET dvr/storage', { access: access.settings, company: 'main', workClass: 'search', internal: true }),
  notices: call('GET dvr/notices', { access: access.settings, internal: true }),
  held: call('GET dvr/held', { access: [...access.settings, ...videoManagers], workClass: 'search', internal: true }),
  views: call('GET dvr/views', { access: access.settings, workClass: 'search', internal: true }),
})
