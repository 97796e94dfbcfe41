/** Session: the signed-in user and the initial data of a client. */
import { access } from './access.ts'
import { call, contract } from './endpoint.ts'
import type { sessionSchemas } from './session.schemas.ts'

export const session = contract<typeof sessionSchemas>({ name: 'session', area: 'company', access: 'user' }).calls({
  login: call('POST session', { access: 'anyone', rateLimit: 'handler', external: true }),
  current: call('GET session'),
  logout: call('DELETE session'),
  admins: call('GET session/admins', { internal: true }),
  init: call('GET res/init', { tenantScope: 'operator' }),
  publicIp: call('GET res/client/public_ip', { access: 'anyone', whileClosed: true }),
  serverTime: call('GET res/server_time', { access: 'anyone', whileClosed: true }),
  todayApiSecret: call('GET res/today_api_secret', { access: access.settings }),
  checkCompany: call('GET company/check_company', { access: 'anyone', whileClosed: true }),
})
