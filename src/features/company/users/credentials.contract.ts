/** The personal PIN and the staff badge of a user: with them a lead approves something at a packing station. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { credentialsSchemas } from './credentials.schemas.ts'

export const credentials = contract<typeof credentialsSchemas>({
  name: 'credentials',
  area: 'company',
  access: access.users,
  internal: true,
}).calls({
  get: call('GET user/{id}/credentials'),
  setPin: call('POST user/{id}/pin', { external: true }),
  removePin: call('DELETE user/{id}/pin'),
  makeBadge: call('POST user/{id}/badge'),
  revokeBadge: call('DELETE user/{id}/badge'),
})
