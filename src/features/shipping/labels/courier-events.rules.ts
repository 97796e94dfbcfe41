/** What the events that a courier reports say of a parcel, and when it is asked again. */
import { isOneOf } from '#domain/objects.ts'

/** States that a courier's events lead to, from the first to the last on the way: of two at one moment the later one counts. */
const courierStates = [
  'booked',
  'handed_over',
  'in_transit',
  'needs_attention',
  'out_for_delivery',
  'delivery_failed',
  'ready_for_pickup',
  'returning',
  'returned_to_sender',
  'delivered',
] as const
export type CourierState = (typeof courierStates)[number]

const isCourierState = (state: string): state is CourierState => isOneOf(courierStates, state)
const rank = (state: CourierState) => courierStates.indexOf(state)

export interface ReportedEvent {
  /** Empty for words that change nothing. */
  state: string
  /** ISO 8601, UTC. */
  at: string
}

/** The newest event that has a state, by its own time: in which order they arrive does not matter. */
export function newestEvent<E extends ReportedEvent>(events: readonly E[]): (E & { state: CourierState }) | undefined {
  let newest: (E & { state: CourierState }) | undefined
  for (const event of events) {
    const { state } = event
    if (!isCourierState(state)) continue
    const later = newest === undefined ? 1 : Date.parse(event.at) - Date.parse(newest.at)
    if (newest === undefined || later > 0 || (later === 0 && rank(state) > rank(newest.state))) newest = { ...event, state }
  }
  return newest
}

/** Where nothing comes after; a delivered parcel may still come back. */
const ended = ['returned_to_sender', 'lost', 'cancelled', 'blocked', 'draft', 'error', 'booking', 'unknown']
/** Days after a delivery in which a parcel may come back. */
const returnDays = 30

/** The state that a shipment takes by the newest event of its courier; undefined where it stays as it is. */
export function stateAfter(
  shipment: { state: string; delivered_at: string | null },
  newest: { state: CourierState; at: string } | undefined,
): Exclude<CourierState, 'booked'> | undefined {
  if (!newest || newest.state === shipment.state || newest.state === 'booked' || ended.includes(shipment.state)) return undefined
  if (shipment.state !== 'delivered') return newest.state
  const returning = newest.state === 'returning' || newest.state === 'returned_to_sender'
  const since = Date.parse(newest.at) - Date.parse(shipment.delivered_at ?? newest.at)
  return returning && since >= 0 && since <= returnDays * 86_400_000 ? newest.state : undefined
}

const minute = 60_000
/** Milliseconds until a parcel in this state is asked for again. */
const pauses: Readonly<Record<string, number>> = {
  out_for_delivery: 30 * minute,
  delivery_failed: 120 * minute,
  ready_for_pickup: 360 * minute,
}
const usualPause = 240 * minute
/** Milliseconds after the booking. */
export const firstPause = 120 * minute
/** Days without news after which a parcel is asked for no more. */
const silentDays = 30
const final = ['delivered', 'returned_to_sender', 'lost', 'cancelled', 'blocked', 'error']

/** When a parcel is asked for next; null when no more. `heard` is its last event, or its booking. */
export function nextTrackAt(state: string, heard: string, now: Date): string | null {
  if (final.includes(state) || now.getTime() - Date.parse(heard) > silentDays * 86_400_000) return null
  return new Date(now.getTime() + (pauses[state] ?? usualPause)).toISOString()
}
