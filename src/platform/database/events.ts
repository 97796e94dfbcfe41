/** Writes events: the append-only record behind every timeline. */
import { sql } from 'kysely'
import type { NewEvent } from '#contract/events.ts'
import type { Db } from './database.ts'

export type ActorKind = 'user' | 'api_key' | 'system'

/** Who did it and where, as an event keeps it: readers show this name and never look the person up. */
export interface EventActor {
  name: string
  kind: ActorKind
  user_id: number | null
  company_id: number
  station: string | null
}

const actorKinds = { user: 'user', shop: 'api_key', anonymous: 'system' } as const

/** `principal` is the one of the request; its id is 0 for the system. */
export const actorOf = (
  principal: { kind: keyof typeof actorKinds; id: number; name: string; company: { id: number } },
  station: string,
): EventActor => ({
  name: principal.kind === 'anonymous' ? 'system' : principal.name,
  kind: actorKinds[principal.kind],
  user_id: principal.id || null,
  company_id: principal.company.id,
  station: station || null,
})

/** The same where the caller names who did it: a task for its user, or a signed webhook for its shop. */
export const withActorName = (actor: EventActor, name = actor.name): EventActor =>
  name === actor.name ? actor : { ...actor, name, kind: actor.user_id === null ? 'api_key' : 'user' }

/** Writes one event. A transaction without a tenant gives the operator. */
export async function insertEvent(db: Db, actor: EventActor, event: NewEvent, operator_id?: number): Promise<void> {
  await db
    .insertInto('events')
    .values({
      ...(operator_id === undefined ? {} : { operator_id }),
      ...(event.company_id === undefined ? {} : { company_id: event.company_id }),
      kind: event.kind,
      order_id: event.order_id ?? null,
      subject: event.subject ?? null,
      subject_id: event.subject_id ?? null,
      user_id: actor.user_id,
      actor_company_id: actor.company_id,
      actor_name: actor.name,
      actor_kind: actor.kind,
      station: actor.station,
      data: JSON.stringify(event.data ?? {}),
    })
    .execute()
}

/** Writes many events in one statement, in their order. */
export async function insertEvents(db: Db, actor: EventActor, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into events (company_id, kind, order_id, subject, subject_id, user_id, actor_company_id, actor_name, actor_kind, station, data)
    select coalesce(e.company_id, current_company_id()), e.kind, e.order_id, e.subject, e.subject_id, ${actor.user_id}::bigint, ${actor.company_id}::bigint,
      ${actor.name}, ${actor.kind}, ${actor.station}, e.data::jsonb
    from unnest(${events.map(event => event.company_id ?? null)}::bigint[], ${events.map(event => event.kind)}::text[],
      ${events.map(event => event.order_id ?? null)}::bigint[], ${events.map(event => event.subject ?? null)}::text[],
      ${events.map(event => event.subject_id ?? null)}::bigint[], ${events.map(event => JSON.stringify(event.data ?? {}))}::text[])
      with ordinality as e(company_id, kind, order_id, subject, subject_id, data, n)
    order by e.n`.execute(db)
}

/** A part of a larger SQL statement that writes the events which `query` selects, in the order of `columns`. Both are text of this program. */
export const insertEventsText = (columns: readonly string[], query: string): string => `insert into events (${columns.join(', ')}) ${query}`
