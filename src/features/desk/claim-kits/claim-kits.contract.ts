/** Claim kits: what a courier wants to see of a claim, in one ZIP file. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { claimKitsSchemas } from './claim-kits.schemas.ts'

export const claimKits = contract<typeof claimKitsSchemas>({
  name: 'claimKits',
  area: 'shipping',
  access: access.parcels,
  tenantScope: 'operator',
  internal: true,
}).calls({
  evidence: call('GET claims/{id}/evidence'),
  download: call('GET claims/{id}/kit', { media: 'application/zip', timeout: 'long', workClass: 'bulk', external: true }),
})
