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

/** What a courier's events say together, whatever the order in which they came: the event that decides, and when the parcel was delivered. */
export function eventThatDecides<E extends ReportedEvent>(
  events: readonly E[],
): { newest: (E & { state: CourierState }) | undefined; delivered_at: string | null; left_at: string | null } {
  const known = events
    .flatMap(event => (isCourierState(event.state) ? [{ ...event, state: event.state }] : []))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || rank(a.state) - rank(b.state))
  let newest: (E & { state: CourierState }) | undefined
  let delivered_at: string | null = null
  let left_at: string | null = null
  for (const event of known) {
    if (event.state !== 'booked') left_at ??= event.at
    // Of two at one moment that say the same, the first stays.
    if (newest && (event.state === newest.state || stateAfter({ state: newest.state, delivered_at }, event) === undefined)) continue
    newest = event
    if (event.state === 'delivered') delivered_at = event.at
  }
  return { newest, delivered_at, left_at }
}

/** The state that a shipment takes by all events of its courier. One that a courier's events gave it follows them, one that a person gave stays unless they go on. */
export function stateByEvents(
  shipment: { state: string; delivered_at: string | null },
  events: readonly ReportedEvent[],
  newest: { state: CourierState; at: string } | undefined,
): Exclude<CourierState, 'booked'> | undefined {
  if (!newest || newest.state === 'booked' || newest.state === shipment.state) return undefined
  const followed = isCourierState(shipment.state) && events.some(event => event.state === shipment.state)
  return followed ? newest.state : stateAfter(shipment, newest)
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

/** Milliseconds where the courier sends its events by itself: the question only finds what got lost. */
const pausePushed = 24 * 60 * minute

/** When a parcel is asked for next; null when no more. `heard` is its last event, or its booking. */
export function nextTrackAt(state: string, heard: string, now: Date, pushed = false): string | null {
  if (final.includes(state) || now.getTime() - Date.parse(heard) > silentDays * 86_400_000) return null
  return new Date(now.getTime() + (pushed ? pausePushed : (pauses[state] ?? usualPause))).toISOString()
}
