/** Begins sessions, and notes the first one on a new device. */
import { forbidden } from '#contract/errors.ts'
import { browserOf } from '#features/company/users/browsers.rules.ts'
import { blockOf } from '#platform/auth/login-limits.ts'
import { insertSession } from '#platform/auth/session-store.ts'
import { newToken } from '#platform/crypto/vault.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { addressMatches } from '#platform/http/tenant-host.ts'
import { recentDevices, sessionUser } from './session.queries.ts'

/** How a user has shown who they are. */
export type SignInWay = 'password' | 'totp' | 'recovery_code' | 'passkey' | 'provider' | 'device'

/** Begins a session of a user who has shown everything that is asked. */
export async function beginSession(context: Context, user_id: number, way: SignInWay) {
  const { db, ip, headers, now, recordEvent, principal } = context
  const { kind } = await db.selectFrom('users').select('kind').where('id', '=', user_id).executeTakeFirstOrThrow()
  if (kind === 'device' && !addressMatches(principal.company.packing_ip_pattern, ip))
    throw forbidden('device_outside', 'A device signs in only inside the warehouse network.')
  const user_agent = headers['user-agent']?.slice(0, 300) ?? null
  const devices = await recentDevices(db, user_id, now())
  const token = newToken()
  const session_id = await insertSession(db, { user_id, token, ip, user_agent, at: now(), kind: kind === 'device' ? 'device' : 'person' })
  await recordEvent({ kind: 'session.begun', subject: 'user', subject_id: user_id, data: { ip, way } })
  if (isNewDevice(devices, { ip, user_agent }))
    await recordEvent({ kind: 'user.new_device', subject: 'user', subject_id: user_id, data: { session_id } })
  return { user: await sessionUser(db, user_id), token }
}

export interface Device {
  ip: string | null
  user_agent: string | null
}

/** New is another browser or another network than in the user's recent sessions; the first session of all is not. */
export function isNewDevice(recent: readonly Device[], device: Device): boolean {
  const same = (one: Device) =>
    browserOf(one.user_agent) === browserOf(device.user_agent) && blockOf(one.ip ?? '') === blockOf(device.ip ?? '')
  return recent.length > 0 && !recent.some(same)
}
