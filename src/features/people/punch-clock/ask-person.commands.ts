/** A lead asks a person about a time that is missing or not verified: by mail, and on the person's own page. */
import { conflict, forbidden } from '#contract/errors.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { askAgainMinutes, askedStates } from './punch.codes.ts'
import type { Punch } from './punch-clock.schemas.ts'
import { lockedPunch, punchById } from './punches.queries.ts'

export async function askPerson({ db, now, principal, recordEvent, notify }: Context, id: number): Promise<Punch> {
  const punch = await lockedPunch(db, id)
  if (punch.user_id === principal.id) throw forbidden('own_punch', 'Someone else must approve your own times.')
  if (!askedStates.includes(punch.state)) throw conflict('punch_wrong_state', 'This entry waits for a decision or was deleted.')
  const asked_at = now().toISOString()
  if (punch.asked_at !== null && Date.parse(asked_at) - Date.parse(punch.asked_at) < askAgainMinutes * 60_000)
    throw conflict('punch_asked', 'Someone asked about this within the hour.')
  await db.updateTable('punches').set({ asked_at, asked_by: principal.id }).where('id', '=', id).execute()
  await recordEvent({ kind: 'punch.reminder_due', subject: 'user', subject_id: punch.user_id, data: { punch_id: id } })
  notify('punch', id)
  return punchById(db, id)
}
