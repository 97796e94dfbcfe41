/** Subscriptions: what other features do in the transaction in which an event is recorded. */
import type { EventData, EventKind, NewEvent } from '#contract/events.ts'
import type { Context } from './feature-module.ts'

/** An event as its subscribers get it: already written, nothing committed. */
export interface RecordedEvent<K extends EventKind = EventKind> {
  kind: K
  order_id: number | null
  company_id: number
  subject: string | null
  subject_id: number | null
  data: EventData<K>
}

/**
 * Gets all events of its kind that one change records, so that a change of many orders stays a few statements.
 * What it throws refuses the change: nothing of the transaction stays.
 */
type EventHandler<K extends EventKind> = (events: readonly RecordedEvent<K>[], context: Context) => Promise<void>

export type Subscriptions = { readonly [K in EventKind]?: EventHandler<K> }

type AnyHandler = (events: readonly RecordedEvent[], context: Context) => Promise<void>
export type EventSubscribers = ReadonlyMap<EventKind, readonly AnyHandler[]>

/** The subscribers of each kind, in the order in which their features are registered. */
export function collectSubscribers(features: readonly { subscribe?: Subscriptions | undefined }[]): EventSubscribers {
  const subscribers = new Map<EventKind, AnyHandler[]>()
  for (const { subscribe = {} } of features)
    for (const [kind, handler] of Object.entries(subscribe) as [EventKind, AnyHandler][])
      subscribers.set(kind, [...(subscribers.get(kind) ?? []), handler])
  return subscribers
}

/** Runs the subscribers one after the other: kinds in the order of their first event, then features as registered. */
export async function runSubscribers(subscribers: EventSubscribers, events: readonly NewEvent[], context: Context): Promise<void> {
  for (const [kind, some] of Map.groupBy(events, event => event.kind)) {
    const handlers = subscribers.get(kind)
    if (!handlers) continue
    const recorded = some.map(event => ({
      kind,
      order_id: event.order_id ?? null,
      company_id: event.company_id ?? context.scope.company_id,
      subject: event.subject ?? null,
      subject_id: event.subject_id ?? null,
      data: event.data ?? {},
    })) as RecordedEvent[]
    for (const handler of handlers) await handler(recorded, context)
  }
}
