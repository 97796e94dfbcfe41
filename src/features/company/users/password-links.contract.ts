/** Links by which users set a password: invitations, and for those who forgot theirs. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { passwordLinksSchemas } from './password-links.schemas.ts'

export const passwordLinks = contract<typeof passwordLinksSchemas>({
  name: 'passwordLinks',
  area: 'company',
  access: access.users,
  internal: true,
}).calls({
  invite: call('POST user/{id}/invitation'),
  forgotten: call('POST session/forgotten_password', { access: 'anyone', rateLimit: 'handler', external: true }),
  find: call('POST session/password_link', { access: 'anyone', rateLimit: { max: 30, seconds: 300 } }),
  setPassword: call('POST session/password', { access: 'anyone', rateLimit: { max: 20, seconds: 300 }, external: true }),
})
