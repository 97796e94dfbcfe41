/** What is left of a person who has gone: shifts to come open to others, requests end, and the private calendar link closes. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { rowsAtOnce } from '#platform/database/batches.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { keepChange, rowOf } from './shifts.commands.ts'
import { revokeCalendar } from './templates.commands.ts'

export async function releasePerson(context: Context, user_id: number): Promise<void> {
  const { db, principal, now, recordEvent, notify } = context
  const at = now().toISOString()
  const changed = { changed_by: principal.name.slice(0, 120), changed_at: at }
  const shifts = await db
    .selectFrom('schedule_entries')
    .select(['id', 'published_start_at'])
    .where('user_id', '=', user_id)
    .where('kind', '=', 'shift')
    .where('state', '<>', 'removed')
    .where('start_at', '>', at)
    .orderBy('id')
    .execute()
  const change_id = randomUUID()
  for (const { id, published_start_at } of shifts) {
    const before = await rowOf(db, id)
    await db
      .updateTable('schedule_entries')
      .set(eb => ({
        user_id: null,
        published_user_id: null,
        unpublished: published_start_at === null,
        ...changed,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    await keepChange(context, change_id, id, before)
  }
  await db
    .updateTable('schedule_entries')
    .set(eb => ({ state: 'withdrawn', ...changed, version: eb('version', '+', 1) }))
    .where('user_id', '=', user_id)
    .where('kind', '=', 'leave')
    .where('state', 'in', ['requested', 'cancel_requested'])
    .execute()
  await db
    .updateTable('shift_offers')
    .set({ state: 'withdrawn' })
    .where('state', 'in', ['open', 'requested'])
    .where(eb => eb.or([eb('from_user_id', '=', user_id), eb('to_user_id', '=', user_id)]))
    .execute()
  await revokeCalendar(db, user_id, now())
  if (shifts.length > 0) await recordEvent({ kind: 'shift.changed', subject: 'schedule', data: { change_id, count: shifts.length } })
  notify('schedule')
}

/** Ends when a person could work and what was written beside shifts and leave; answers how many rows of which table. */
export async function eraseOwnWords(db: Db, user_id: number): Promise<Record<string, number>> {
  const notes = await sql`delete from schedule_notes n using schedule_entries e
    where n.operator_id = current_operator_id() and e.operator_id = n.operator_id and e.id = n.entry_id and e.user_id = ${user_id}`.execute(
    db,
  )
  const decisions = await sql`update schedule_entries set decision = null
    where operator_id = current_operator_id() and user_id = ${user_id} and decision is not null`.execute(db)
  const availability = await db
    .deleteFrom('schedule_entries')
    .where('user_id', '=', user_id)
    .where('kind', '=', 'availability')
    .executeTakeFirst()
  const offers = await db
    .updateTable('shift_offers')
    .set({ reason: null })
    .where('from_user_id', '=', user_id)
    .where('reason', 'is not', null)
    .executeTakeFirst()
  return {
    schedule_notes: Number(notes.numAffectedRows ?? 0),
    schedule_entries: Number(decisions.numAffectedRows ?? 0) + Number(availability.numDeletedRows),
    shift_offers: Number(offers.numUpdatedRows),
  }
}

/**
 * Deletes plans and leave before a day, and what is older than a year of offers; in the system role. Availability is of no use once it is past.
 * The leave account keeps its days: what is left is the sum of all rows.
 */
export async function deleteOldEntries(
  db: Db,
  operator_id: number,
  { before, availability, offers }: { before: string; availability: string; offers: string },
): Promise<Record<string, number>> {
  const count = async (statement: ReturnType<typeof sql>) => Number((await statement.execute(db)).numAffectedRows ?? 0)
  const shift_offers = await count(sql`delete from shift_offers where ctid = any (array(select ctid from shift_offers
    where operator_id = ${operator_id} and created_at < ${offers}::date limit ${rowsAtOnce}))`)
  const { rows } = await sql<{ id: number }>`select id from schedule_entries where operator_id = ${operator_id}
    and (coalesce(date_to, work_date) < ${before}::date or kind = 'availability' and work_date < ${availability}::date) limit ${rowsAtOnce}`.execute(
    db,
  )
  const old = sql`any (${rows.map(({ id }) => id)}::bigint[])`
  const schedule_changes = await count(sql`delete from schedule_changes where operator_id = ${operator_id} and entry_id = ${old}`)
  await count(sql`delete from shift_offers where operator_id = ${operator_id} and (entry_id = ${old} or with_entry_id = ${old})`)
  await count(sql`update leave_ledger set entry_id = null where operator_id = ${operator_id} and entry_id = ${old}`)
  await count(sql`update schedule_entries set replaces_id = null where operator_id = ${operator_id} and replaces_id = ${old}`)
  await count(sql`update schedule_entries set leave_id = null where operator_id = ${operator_id} and leave_id = ${old}`)
  const schedule_entries = await count(sql`delete from schedule_entries where operator_id = ${operator_id} and id = ${old}`)
  return { shift_offers, schedule_changes, schedule_entries }
}
