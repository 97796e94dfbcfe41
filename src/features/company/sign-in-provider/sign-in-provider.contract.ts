/** The OpenID Connect provider of a company, and the accounts there that users have connected. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { signInProviderSchemas } from './sign-in-provider.schemas.ts'

const own = { access: 'person' } as const

/** The provider decides who is who, so that only an administrator sets it. */
export const signInProvider = contract<typeof signInProviderSchemas>({
  name: 'signInProvider',
  area: 'company',
  access: access.admin,
  internal: true,
}).calls({
  get: call('GET sign_in_provider'),
  save: call('POST sign_in_provider'),
  remove: call('DELETE sign_in_provider'),
  test: call('POST sign_in_provider/test', { external: true, rateLimit: { max: 10, seconds: 60 } }),
  mine: call('GET user/my_identities', { ...own }),
  startLink: call('POST user/my_identities/start', { ...own, external: true, rateLimit: { max: 20, seconds: 300 } }),
  link: call('POST user/my_identities', { ...own, external: true, rateLimit: { max: 20, seconds: 300 } }),
  unlink: call('POST user/my_identities/{id}/remove', { ...own, external: true, rateLimit: 'handler' }),
})
