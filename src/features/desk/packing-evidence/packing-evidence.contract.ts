/** Packing evidence: all that shows how an order was packed, in one ZIP file. */
import { call, contract } from '#contract/endpoint.ts'
import { packingVideo } from '#features/packing/packing-video/packing-video.contract.ts'
import type { packingEvidenceSchemas } from './packing-evidence.schemas.ts'

export const packingEvidence = contract<typeof packingEvidenceSchemas>({
  name: 'packingEvidence',
  area: 'packing',
  access: packingVideo.list.access,
  tenantScope: 'operator',
  internal: true,
}).calls({
  download: call('GET packing/order/{id}/evidence', { media: 'application/zip', timeout: 'long', workClass: 'bulk', external: true }),
})
