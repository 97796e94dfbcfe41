/**
 * Pickups by PostNord, which collects parcels that it has booked, named one by one. Source: its Booking APIs 3.5, `/v3/pickups/ids`, which
 * take domestic pickups in Sweden, Denmark and Finland and no cancellation.
 */
import { instantAt } from '#domain/local-time.ts'
import { CourierRefused, type PickupRequest } from '../courier.ts'

const zones: Readonly<Record<string, string>> = { DK: 'Europe/Copenhagen', SE: 'Europe/Stockholm', FI: 'Europe/Helsinki' }

/** An entry for each parcel. */
export function pickupBody({ sender, date, from, to, tracking_nos }: PickupRequest): object[] {
  const zone = zones[sender.country]
  if (zone === undefined) throw new CourierRefused('PostNord takes pickups only in Sweden, Denmark and Finland')
  if (tracking_nos.length === 0) throw new CourierRefused('PostNord collects only parcels that have labels, and none waits for it')
  const at = (clock: string) => new Date(instantAt(date, clock, zone)).toISOString()
  return tracking_nos.map(itemId => ({ itemId, earliestPickupDate: at(from), latestPickupDate: at(to) }))
}
