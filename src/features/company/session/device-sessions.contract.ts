/** A tablet becomes a kiosk, a station or a board: it signs in as a device of its own. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { deviceSessionsSchemas } from './device-sessions.schemas.ts'

export const deviceSessions = contract<typeof deviceSessionsSchemas>({
  name: 'deviceSessions',
  area: 'company',
  access: access.users,
  internal: true,
}).calls({
  begin: call('POST user/devices', { ipLock: true, rateLimit: { max: 20, seconds: 300 } }),
})
