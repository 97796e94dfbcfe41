/** What happened: the append-only record behind every timeline. */
import { sql } from 'kysely'
import type { Principal } from '#platform/auth/identity.ts'
import type { Db } from './database.ts'

export interface NewEvent {
  /** `noun.verb`, past tense: `order.imported`, `packing.scanned`. */
  kind: string
  order_id?: number | null
  /** The company whose row changed, where it is not the actor's own. */
  company_id?: number
  subject?: string
  subject_id?: number
  data?: object
}

/** Writes one event as done by `person`. */
export async function recordEvent(db: Db, principal: Principal, station: string, event: NewEvent): Promise<void> {
  await db
    .insertInto('events')
    .values({
      ...(event.company_id === undefined ? {} : { company_id: event.company_id }),
      kind: event.kind,
      order_id: event.order_id ?? null,
      subject: event.subject ?? null,
      subject_id: event.subject_id ?? null,
      user_id: principal.id || null,
      actor_company_id: principal.company.id,
      actor: principal.kind === 'nobody' ? 'system' : principal.name,
      station: station || null,
      data: JSON.stringify(event.data ?? {}),
    })
    .execute()
}

/** Many events of one kind about many orders in one statement, as done by `person`. */
export async function recordEventForOrders(
  db: Db,
  principal: Principal,
  station: string,
  { kind, subject, subject_id }: Pick<NewEvent, 'kind' | 'subject' | 'subject_id'>,
  of: readonly { order_id: number; company_id: number; data: object }[],
): Promise<void> {
  if (of.length === 0) return
  await sql`
    insert into events (company_id, kind, order_id, subject, subject_id, user_id, actor_company_id, actor, station, data)
    select e.company_id, ${kind}, e.order_id, ${subject ?? null}, ${subject_id ?? null}::bigint, ${principal.id || null}::bigint, ${principal.company.id}::bigint,
      ${principal.kind === 'nobody' ? 'system' : principal.name}, ${station || null}, e.data::jsonb
    from unnest(${of.map(one => one.company_id)}::bigint[], ${of.map(one => one.order_id)}::bigint[], ${of.map(one => JSON.stringify(one.data))}::text[])
      as e(company_id, order_id, data)`.execute(db)
}
