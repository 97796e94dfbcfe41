/** The mail account of a company: the server that sends its mails, a test mail, and how the last mails went. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { mailSchemas } from './mail.schemas.ts'

export const mail = contract<typeof mailSchemas>({ name: 'mail', area: 'company', access: access.settings, internal: true }).calls({
  account: call('GET email/account'),
  save: call('POST email/account'),
  remove: call('DELETE email/account'),
  test: call('POST email/test', { external: true, rateLimit: { max: 10, seconds: 60 } }),
})
