/** How the offline queue reads a picker's events: all in one order, neighbours of one wagon in one request. */
import type { PickEvent } from './picking.schemas.ts'

/** As the device stores it. */
export interface QueuedEvent {
  event: PickEvent
  pick_list_id: number
  wagon_no: number
  /** Who did it: another person at this phone never sends it. */
  user_id: number
  /** Microseconds since 1970; events go in this order. */
  seq: number
}

/** Events of one request, as the call allows. */
export const mostTogether = 100
/** Milliseconds: a wagon whose events wait longer was settled another way. */
export const expiresAfter = 7 * 24 * 3_600_000

export const eventFormat = {
  id: ({ event }: QueuedEvent) => event.id,
  // An event of another wagon in between was made in between: all events have one order.
  key: () => 'events',
  user_id: (queued: QueuedEvent) => queued.user_id,
  at: ({ seq }: QueuedEvent) => seq / 1_000,
  withTime: (queued: QueuedEvent, at: number): QueuedEvent => ({ ...queued, seq: Math.round(at * 1_000) }),
  batchSize(events: readonly QueuedEvent[]): number {
    const [first] = events
    const end = events.findIndex(one => one.pick_list_id !== first?.pick_list_id || one.wagon_no !== first.wagon_no)
    return Math.min(end < 0 ? events.length : end, mostTogether)
  },
}
