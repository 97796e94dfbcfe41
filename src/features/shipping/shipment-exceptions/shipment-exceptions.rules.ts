/** When a shipment needs somebody: by what its courier reports, and by the clock. */
import type { CourierEvent } from '#features/shipping/courier-events/courier-events.codes.ts'
import type { ShipmentExceptionKind } from './shipment-exceptions.codes.ts'

const hour = 3_600_000
/** Hours without news after a scan. */
export const stillHours = 72
/** Days in a parcel shop; most couriers keep a parcel for seven. */
export const shopDays = 5
/** Days without news after which a parcel is proposed as lost. */
export const lostDays = 14

interface OnTheWay {
  state: string
  /** Of the courier's newest event; null before its first one. */
  last_event_at: string | null
  handed_over_at: string
  /** Since when it waits in a parcel shop. */
  ready_at: string | null
  /** The courier can be asked where its parcels are. */
  tracked: boolean
}

/** What the clock says of a shipment that a courier has; null while nothing is wrong. */
export function kindByClock(
  { state, last_event_at, handed_over_at, ready_at, tracked }: OnTheWay,
  now: Date,
): 'lost' | 'no_movement' | 'waiting_in_shop' | null {
  const since = (time: string) => now.getTime() - Date.parse(time)
  if (state === 'ready_for_pickup')
    return since(ready_at ?? last_event_at ?? handed_over_at) >= shopDays * 24 * hour ? 'waiting_in_shop' : null
  // Of a courier that reports nothing silence says nothing.
  if (!tracked && last_event_at === null) return null
  const silence = since(last_event_at ?? handed_over_at)
  if (silence >= lostDays * 24 * hour) return 'lost'
  return last_event_at !== null && ['in_transit', 'out_for_delivery'].includes(state) && silence >= stillHours * hour ? 'no_movement' : null
}

/** The exception that an event opens where the settings of its courier say so. */
export const kindOfEvent: Readonly<Partial<Record<CourierEvent, ShipmentExceptionKind>>> = {
  customs: 'customs',
  delayed: 'delayed',
  address_problem: 'address',
  delivery_failed: 'delivery_failed',
  returning: 'returned',
  returned: 'returned',
}

/** Exceptions that end when the parcel goes on. */
export const endedByMovement: readonly ShipmentExceptionKind[] = [
  'no_scan',
  'no_movement',
  'customs',
  'address',
  'delivery_failed',
  'delayed',
  'problem',
  'waiting_in_shop',
  'lost',
]
/** Exceptions that end when the courier's newest words name no reason any more. */
export const endedByNews: readonly ShipmentExceptionKind[] = ['customs', 'address', 'delayed']
