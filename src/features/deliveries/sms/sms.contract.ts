/** The gateway of a company's text messages: settings, a test message, and what is left of the balance. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { smsSchemas } from './sms.schemas.ts'

export const sms = contract<typeof smsSchemas>({ name: 'sms', area: 'deliveries', access: access.settings }).calls({
  balance: call('GET sms/account_balance', { access: [...access.parcels, 'settings_admin'], external: true }),
  account: call('GET sms/account', { internal: true }),
  save: call('POST sms/account', { internal: true }),
  remove: call('DELETE sms/account', { internal: true }),
  test: call('POST sms/test', { internal: true, external: true, rateLimit: { max: 10, seconds: 60 } }),
})
