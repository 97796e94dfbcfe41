/** The second step of signing in, and signing in with a passkey alone. */
import { call, contract } from '#contract/endpoint.ts'
import type { secondFactorLoginSchemas } from './second-factor-login.schemas.ts'

const limited = { external: true, rateLimit: { max: 60, seconds: 300 } } as const

export const secondFactorLogin = contract<typeof secondFactorLoginSchemas>({
  name: 'secondFactorLogin',
  area: 'company',
  access: 'anyone',
  internal: true,
}).calls({
  secondFactor: call('POST session/second_factor', limited),
  secondFactorOptions: call('POST session/second_factor/options', { rateLimit: { max: 60, seconds: 300 } }),
  setUp: call('POST session/totp_setup', { rateLimit: { max: 60, seconds: 300 } }),
  confirmSetUp: call('POST session/totp_setup/confirm', limited),
  passkeyOptions: call('POST session/passkey/options', { rateLimit: { max: 60, seconds: 300 } }),
  passkey: call('POST session/passkey', limited),
})
