import type { EventKind, NewEvent } from '#contract/events.ts'
import type { AnyEventHandler, Context, EventSubscribers, Subscriptions } from './feature-module.ts'

/** The subscribers of each kind, in the order in which their features are registered. */
export function collectSubscribers(features: readonly { subscribe?: Subscriptions | undefined }[]): EventSubscribers {
  const subscribers = new Map<EventKind, AnyEventHandler[]>()
  for (const { subscribe = {} } of features)
    for (const [kind, handler] of Object.entries(subscribe) as [EventKind, AnyEventHandler][])
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
    }))
    for (const handler of handlers) await handler(recorded, context)
  }
}
