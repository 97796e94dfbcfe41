/** Track and Trace of GLS Group, which knows the parcels of both systems. Source: GLS Track and Trace V1 1.0.7. */
import { CourierRefused, CourierUnavailable, type TrackingEvent } from '../courier.ts'
import { readReply, wordsIn } from '../courier-http.ts'
import { TrackingReply } from './gls.schemas.ts'
import { type AskGroup, name, type Settings } from './gls-group.ts'

/** Our state and words by the status; what is not listed is shown as text only. */
const states: Readonly<Record<string, readonly [state: string, text: string]>> = {
  PLANNEDPICKUP: ['booked', 'The pickup is planned'],
  INPICKUP: ['booked', 'A driver is on the way to the pickup'],
  NOTPICKEDUP: ['needs_attention', 'The parcel was not picked up'],
  PREADVICE: ['booked', 'GLS has the data of the parcel, not yet the parcel'],
  INTRANSIT: ['in_transit', 'The parcel is on its way'],
  INWAREHOUSE: ['in_transit', 'The parcel is in a warehouse of GLS'],
  INDELIVERY: ['out_for_delivery', 'The parcel is out for delivery'],
  // Not yet with the recipient.
  DELIVEREDPS: ['ready_for_pickup', 'The parcel was delivered to a parcel shop'],
  DELIVERED: ['delivered', 'The parcel was delivered'],
  NOTDELIVERED: ['delivery_failed', 'The parcel could not be delivered'],
  CANCELED: ['cancelled', 'The parcel was cancelled'],
  FINAL: ['', 'GLS has closed the history of the parcel'],
}

/** Events before the first scan. The spelling is that of GLS. */
const beforeScan = /^INTIAL\./

export async function trackGls(ask: AskGroup, tracking_no: string, settings: Settings, signal: AbortSignal): Promise<TrackingEvent[]> {
  const question = { courier: name, purpose: 'read' } as const
  const answer = await ask({
    ...question,
    path: `/track-and-trace-v1/tracking/simple/trackids/${encodeURIComponent(tracking_no)}`,
    headers: { accept: 'application/json', 'accept-language': 'EN' },
    settings,
    signal,
  })
  if (answer.status === 404) return []
  if (!answer.ok) throw new CourierRefused(wordsIn(answer))
  const { parcels } = readReply(TrackingReply, answer, question)
  const parcel = parcels.find(one => one.requested === tracking_no) ?? (parcels.length === 1 ? parcels[0] : undefined)
  if (!parcel) return []
  const { errorCode, errorMessage, status, statusDateTime } = parcel
  if (errorCode?.startsWith('E_404')) return []
  if (errorCode?.startsWith('E_400')) throw new CourierRefused(`${errorMessage ?? ''} (${errorCode})`.trim())
  if (errorCode) throw new CourierUnavailable(`GLS says ${errorCode} of the parcel`)
  const events = parcel.events ?? []
  const found = events.flatMap(({ description, code, city, eventDateTime }): TrackingEvent[] => {
    const at = instantOf(eventDateTime)
    return at === null ? [] : [{ state: '', at, place: city?.trim() || null, text: description?.trim() || code }]
  })
  const at = instantOf(statusDateTime ?? '')
  if (!status || at === null) return found
  const [state, text] = states[status] ?? ['', status]
  const cancelledLate = state === 'cancelled' && events.some(one => !beforeScan.test(one.code))
  return [{ state: cancelledLate ? '' : state, at, place: null, text }, ...found]
}

/** GLS writes the offset without a colon, as in `2024-10-11T15:24:57+0200`. */
function instantOf(written: string): string | null {
  const at = new Date(written.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
