/** Second factors of a user: a code app with recovery codes, and passkeys. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { secondFactorsSchemas } from './second-factors.schemas.ts'

/** The own password is asked for: the handler counts wrong ones. */
const asksPassword = { external: true, rateLimit: 'handler' } as const

export const secondFactors = contract<typeof secondFactorsSchemas>({
  name: 'secondFactors',
  area: 'company',
  access: 'person',
  internal: true,
}).calls({
  mine: call('GET user/my_sign_in'),
  startTotp: call('POST user/my_totp', asksPassword),
  confirmTotp: call('POST user/my_totp/confirm', { external: true }),
  newRecoveryCodes: call('POST user/my_totp/recovery_codes', asksPassword),
  removeTotp: call('POST user/my_totp/remove', asksPassword),
  startPasskey: call('POST user/my_passkeys/options', asksPassword),
  addPasskey: call('POST user/my_passkeys', { external: true }),
  renamePasskey: call('PUT user/my_passkeys/{id}'),
  removePasskey: call('POST user/my_passkeys/{id}/remove', asksPassword),
  of: call('GET user/{id}/sign_in', { access: access.users }),
  reset: call('POST user/{id}/reset_second_factors', { access: access.users }),
})
