/** Signing in by the OpenID Connect provider of the company. */
import { call, contract } from '#contract/endpoint.ts'
import type { providerLoginSchemas } from './provider-login.schemas.ts'

export const providerLogin = contract<typeof providerLoginSchemas>({
  name: 'providerLogin',
  area: 'company',
  access: 'anyone',
  internal: true,
}).calls({
  offered: call('GET session/provider'),
  start: call('POST session/oidc/start', { external: true, rateLimit: { max: 60, seconds: 300 } }),
  finish: call('POST session/oidc', { external: true, rateLimit: { max: 60, seconds: 300 } }),
})
