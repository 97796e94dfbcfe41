/** Writing pickups: begun, and what became of them. */
import type { Context } from '#platform/http/feature-module.ts'
import type { NewPickup } from './pickups.schemas.ts'

/** The intent; null where one with this id, or one of this courier and day, is there already. */
export async function beginPickup(context: Context, fields: NewPickup & { company_id: number }): Promise<number | null> {
  const { db, now, principal, notify } = context
  const row = await db
    .insertInto('pickups')
    .values({ ...fields, created_by: principal.name, created_at: now().toISOString() })
    .onConflict(taken => taken.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return null
  notify('pickup', row.id, fields.company_id)
  return row.id
}

export type PickupOutcome =
  | { state: 'ordered'; courier_no?: string | null; comes_on?: string | null; words?: string }
  | { state: 'refused'; words: string | null }
  | { state: 'unknown' }
  | { state: 'cancelled' }

export async function storePickup({ db, now, recordEvent, notify }: Context, id: number, outcome: PickupOutcome): Promise<void> {
  const { company_id, agent_code, day } = await db
    .updateTable('pickups')
    .set(eb => ({
      ...outcome,
      ...(outcome.state === 'cancelled' && { cancelled_at: now().toISOString(), cancelling_until: null }),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .returning(['company_id', 'agent_code', 'day'])
    .executeTakeFirstOrThrow()
  await recordEvent({
    kind: `pickup.${outcome.state}`,
    company_id,
    subject: 'pickup',
    subject_id: id,
    data: { agent_code, day },
  })
  notify('pickup', id, company_id)
}

/** Reserves the cancellation for one request until a time; null ends the reservation. */
export async function reserveCancellation({ db }: Context, id: number, until: Date | null): Promise<void> {
  await db
    .updateTable('pickups')
    .set({ cancelling_until: until === null ? null : until.toISOString() })
    .where('id', '=', id)
    .execute()
}
