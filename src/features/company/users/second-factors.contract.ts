/** Second factors of a user: a code app with recovery codes, and passkeys. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { secondFactorsSchemas } from './second-factors.schemas.ts'

export const secondFactors = contract<typeof secondFactorsSchemas>({
  name: 'secondFactors',
  area: 'company',
  access: 'user',
  internal: true,
}).calls({
  mine: call('GET user/my_sign_in'),
  startTotp: call('POST user/my_totp', { external: true }),
  confirmTotp: call('POST user/my_totp/confirm', { external: true }),
  newRecoveryCodes: call('POST user/my_totp/recovery_codes', { external: true }),
  removeTotp: call('POST user/my_totp/remove', { external: true }),
  startPasskey: call('POST user/my_passkeys/options', { external: true }),
  addPasskey: call('POST user/my_passkeys', { external: true }),
  renamePasskey: call('PUT user/my_passkeys/{id}'),
  removePasskey: call('POST user/my_passkeys/{id}/remove', { external: true }),
  of: call('GET user/{id}/sign_in', { access: access.users }),
  reset: call('POST user/{id}/reset_second_factors', { access: access.users }),
})
