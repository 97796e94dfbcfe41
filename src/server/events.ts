/** What happened: the append-only record behind every timeline. */
import type { Db } from './database.ts'
import type { Person } from './people.ts'

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
export async function recordEvent(db: Db, person: Person, station: string, event: NewEvent): Promise<void> {
  await db
    .insertInto('events')
    .values({
      ...(event.company_id === undefined ? {} : { company_id: event.company_id }),
      kind: event.kind,
      order_id: event.order_id ?? null,
      subject: event.subject ?? null,
      subject_id: event.subject_id ?? null,
      user_id: person.id || null,
      actor_company_id: person.company.id,
      actor: person.kind === 'nobody' ? 'system' : person.name,
      station: station || null,
      data: JSON.stringify(event.data ?? {}),
    })
    .execute()
}
