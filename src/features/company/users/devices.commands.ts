/** Writes accounts of devices that many people share. */
import { type Permission, permissionId } from '#contract/access.ts'
import { type DevicePreset, deviceCodes, devicePresets } from '#contract/device-accounts.ts'
import { forbidden, unprocessable } from '#contract/errors.ts'
import { isOneOf } from '#domain/objects.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { allowOneMore } from '#platform/limits/company-limits.ts'
import { notTheirsToGive } from './permissions.rules.ts'
import { insertUser } from './users.commands.ts'
import { inLine } from './users.queries.ts'

/** Refuses for a device what only a person has: mail, and permissions beyond those of its work. */
export function mustSuitDevice(fields: { email?: string | null | undefined }, codes: readonly Permission[]): void {
  const refuse = (field: 'email' | 'permission') =>
    unprocessable(
      'device_limits',
      'A device has no e-mail, and may scan, pick, clock people in and show boards only.',
      {},
      { fields: { [field]: 'A device has no e-mail, and may scan, pick, clock people in and show boards only.' } },
    )
  if (fields.email) throw refuse('email')
  if (codes.some(code => !isOneOf(deviceCodes, code))) throw refuse('permission')
}

/** Makes the account of a device, and answers its id. */
export async function insertDevice(context: Context, name: string, preset: DevicePreset): Promise<number> {
  const { db, principal, recordEvent, notify } = context
  const codes: readonly Permission[] = devicePresets[preset]
  const missing = notTheirsToGive(principal.permissions, [], codes).join(', ')
  if (missing)
    throw forbidden('cannot_grant_permissions', 'You cannot give permissions that you do not have yourself: {{codes}}', { codes: missing })
  await inLine(db, principal.company.id)
  await allowOneMore(db, principal.company.id, 'users')
  const id = await insertUser(db, {
    ...{ name, user_name: null, email: null, password_hash: null, kind: 'device' },
    permission: codes.map(permissionId),
  })
  await recordEvent({ kind: 'user.created', subject: 'user', subject_id: id, data: { name, permission: codes, device: true } })
  notify('user', id)
  return id
}
