/** Writes events: the append-only record behind every timeline. */
import { sql } from 'kysely'
import { type EventKind, type NewEvent, personalEventFields } from '#contract/events.ts'
import { type Db, markGenericPlan } from './database.ts'
import { type ErasurePart, rowsOf, wordPatterns } from './erasure.ts'

export type ActorKind = 'user' | 'api_key' | 'system'

/** Who did it and where, as an event keeps it: readers show this name and never look the person up. */
export interface EventActor {
  name: string
  kind: ActorKind
  user_id: number | null
  company_id: number
  station: string | null
}

const actorKinds = {
  user: 'user',
  shop: 'api_key',
  print_agent: 'api_key',
  recorder: 'api_key',
  visitor: 'system',
  anonymous: 'system',
} as const

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

/** The facts of an event and, apart from them, what it says about a person; null where it says nothing. */
function splitData({ kind, data = {} }: NewEvent): { facts: object; personal: object | null } {
  const fields: readonly string[] = personalEventFields[kind] ?? []
  if (fields.length === 0) return { facts: data, personal: null }
  const [own, others] = [
    Object.entries(data).filter(([name]) => fields.includes(name)),
    Object.entries(data).filter(([name]) => !fields.includes(name)),
  ]
  return { facts: Object.fromEntries(others), personal: own.length > 0 ? Object.fromEntries(own) : null }
}

/** Writes one event. A transaction without a tenant gives the operator. */
export async function insertEvent(db: Db, actor: EventActor, event: NewEvent, operator_id?: number): Promise<void> {
  if (splitData(event).personal !== null) return insertEvents(db, actor, [event])
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

/** Steps of SQL that follow the step which records events, in the same statement: they cost no round trip of their own. */
export interface EventSteps {
  kinds: ReadonlySet<EventKind>
  /** `events` names the recorded rows: `id, company_id, kind, order_id, subject, subject_id, data, now`; `now` is the clock of the process. */
  text(events: string): readonly string[]
}

/** The steps that events of these kinds need, behind the step `events`, which returns what `returnedColumns` names; `now` is SQL. */
export function stepsAfter(all: readonly EventSteps[], kinds: readonly EventKind[], events: string, now: string): readonly string[] {
  const needed = all.filter(steps => kinds.some(kind => steps.kinds.has(kind)))
  if (needed.length === 0) return []
  return [`recorded as (select e.*, ${now} as now from ${events} e)`, ...needed.flatMap(steps => steps.text('recorded'))]
}

/** What a step that records events returns for the steps after it. */
export const returnedColumns = 'id, at, company_id, kind, order_id, subject, subject_id, data'

/** Writes many events in one statement, in their order, with the steps that follow events of their kinds. */
export async function insertEvents(
  db: Db,
  actor: EventActor,
  events: readonly NewEvent[],
  { steps = [], now }: { steps?: readonly EventSteps[]; now?: Date } = {},
): Promise<void> {
  if (events.length === 0) return
  const split = events.map(splitData)
  const insert = sql`
    insert into events (company_id, kind, order_id, subject, subject_id, user_id, actor_company_id, actor_name, actor_kind, station, data)
    select coalesce(e.company_id, current_company_id()), e.kind, e.order_id, e.subject, e.subject_id, ${actor.user_id}::bigint, ${actor.company_id}::bigint,
      ${actor.name}, ${actor.kind}, ${actor.station}, e.data::jsonb
    from unnest(${events.map(event => event.company_id ?? null)}::bigint[], ${events.map(event => event.kind)}::text[],
      ${events.map(event => event.order_id ?? null)}::bigint[], ${events.map(event => event.subject ?? null)}::text[],
      ${events.map(event => event.subject_id ?? null)}::bigint[], ${split.map(one => JSON.stringify(one.facts))}::text[])
      with ordinality as e(company_id, kind, order_id, subject, subject_id, data, n)
    order by e.n`
  const clock = sql`clock as (select ${(now ?? new Date()).toISOString()}::timestamptz as now)`
  const kinds = events.map(event => event.kind)
  const after = stepsAfter(steps, kinds, 'made', '(select now from clock)').map(step => sql`, ${sql.raw(step)}`)
  const personal = split.some(one => one.personal !== null)
  if (after.length === 0 && !personal) {
    await insert.execute(db)
    return
  }
  // Ids are drawn in the order of the rows, so the n-th id belongs to the n-th event.
  const withPersonal = sql`, numbered as (select *, row_number() over (order by id) as n from made),
    personal as (insert into event_personal (company_id, event_id, at, order_id, data)
      select m.company_id, m.id, m.at, m.order_id, p.data::jsonb
      from numbered m join unnest(${split.map(one => one.personal && JSON.stringify(one.personal))}::text[]) with ordinality as p(data, n) on p.n = m.n
      where p.data is not null)`
  const statement =
    sql`with ${clock}, made as (${insert} returning ${sql.raw(returnedColumns)})${personal ? withPersonal : sql``}${sql.join(after, sql``)} select`.compile(
      db,
    )
  // Its plan never depends on its values, and planning it costs more than running it.
  markGenericPlan(statement.sql)
  await db.executeQuery(statement)
}

/** Events keep what happened, when and by whom; what they say about the person goes. */
export const erasePersonalEvents: ErasurePart = {
  tables: ['event_personal'],
  async erase(db, { order_ids, words }) {
    const { numAffectedRows } = await sql`delete from event_personal where operator_id = current_operator_id()
      and (order_id = any (${order_ids}::bigint[]) or order_id is null and data::text ilike any (${wordPatterns(words)}::text[]))`.execute(
      db,
    )
    return { event_personal: Number(numAffectedRows ?? 0) }
  },

  async read(db, { order_ids, words }) {
    return {
      event_personal: await rowsOf(
        db,
        sql`select order_id, at, data from event_personal where operator_id = current_operator_id()
          and (order_id = any (${order_ids}::bigint[]) or order_id is null and data::text ilike any (${wordPatterns(words)}::text[])) order by at`,
      ),
    }
  },
}

/** A part of a larger SQL statement that writes the events which `query` selects, in the order of `columns`. Both are text of this program. */
export const insertEventsText = (columns: readonly string[], query: string): string => `insert into events (${columns.join(', ')}) ${query}`
