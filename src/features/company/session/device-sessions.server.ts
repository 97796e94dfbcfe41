/** Handler of the session of a device. */
import { insertDevice } from '#features/company/users/devices.commands.ts'
import { endSession } from '#platform/auth/session-store.ts'
import { implement } from '#platform/http/feature-module.ts'
import { deviceSessions } from './device-sessions.contract.ts'
import { deviceSessionsSchemas } from './device-sessions.schemas.ts'
import { beginSession } from './session.commands.ts'

export const deviceSessionsServer = implement(deviceSessions, deviceSessionsSchemas, {
  async begin({ body: { name, preset } }, context) {
    const { db, principal, now, notify } = context
    const id = await insertDevice(context, name, preset)
    const begun = await beginSession(context, id, 'device')
    // Who set it up does not stay signed in where many stand.
    await endSession(db, principal.id, principal.session_id, now())
    notify('people')
    return begun
  },
})
