/** The request as `shipments.request` keeps it: without persons, whose rows can be erased, without goods, which have rows too, and without secrets. */

import * as z from 'zod'
import type { Party } from '#domain/party.ts'
import type { BookingRequest, ParcelRequest, Parties, PartyRole } from '#integrations/couriers/courier.ts'

export interface StoredRequest
  extends Omit<
    BookingRequest,
    'idempotency_key' | 'reference' | 'operation' | 'parties' | 'parcels' | 'tracking_url' | 'settings' | 'account_method' | 'asked_at'
  > {
  /** Raised when the meaning of a field changes; `readStoredRequest` reads every earlier one. */
  version: 2
  parcel: Omit<ParcelRequest, 'reserved_number' | 'lines'>
}

const text = z.string().nullable().catch(null)
export const StoredParty = z.object({
  name: z.string().catch(''),
  company: text,
  attention: text,
  address1: z.string().catch(''),
  address2: text,
  postcode: z.string().catch(''),
  city: z.string().catch(''),
  country: z.string().catch(''),
  phone: text,
  email: text,
  instruction: text,
})
/** What is left of an erased person. */
export const erasedParty: Party = StoredParty.parse({})

/** Version 1, which had no number: one parcel, with its persons in it. An erased request is empty. */
const FirstVersion = z.object({
  order_no: text,
  shipping_method: z.string().catch(''),
  sender: StoredParty.optional(),
  receiver: StoredParty.optional(),
  service_point_id: text,
  weight_g: z.number().catch(0),
  parcel_no: z.number().catch(1),
  parcel_count: z.number().nullable().catch(1),
})

export interface StoredShipment {
  /** The content of `shipments.request`. */
  request: unknown
  idempotency_key: string
  reference: string
  reserved_number: string | null
  operation_code: BookingRequest['operation']
  /** Local date of the sender on which the intent was committed, for requests that have none. */
  created_day: string
}

/** The request as the courier is asked, from what is stored of it; `parties` and `lines` are the shipment's rows. */
export function readStoredRequest(
  { request, idempotency_key, reference, reserved_number, operation_code, created_day }: StoredShipment,
  parties: readonly { role: string; party: unknown }[],
  lines: ParcelRequest['lines'],
): Omit<BookingRequest, 'tracking_url' | 'settings'> {
  const first = isCurrent(request) ? undefined : FirstVersion.parse(request)
  const { version: _, parcel, ...stored } = isCurrent(request) ? request : upgraded(FirstVersion.parse(request), created_day)
  const party = (role: PartyRole): Party | undefined => {
    const row = parties.find(one => one.role === role)
    return row && StoredParty.parse(row.party)
  }
  const known: Parties = {
    sender: party('sender') ?? first?.sender ?? erasedParty,
    recipient: party('recipient') ?? first?.receiver ?? erasedParty,
    return_to: party('return_to') ?? null,
    importer: party('importer') ?? null,
    payer: party('payer') ?? null,
  }
  return {
    ...stored,
    idempotency_key,
    reference,
    operation: operation_code,
    parties: known,
    parcels: [{ ...parcel, reserved_number, lines }],
  }
}

const isCurrent = (request: unknown): request is StoredRequest =>
  typeof request === 'object' && request !== null && 'version' in request && request.version === 2

function upgraded(first: z.infer<typeof FirstVersion>, ship_date: string): StoredRequest {
  const { order_no, shipping_method, service_point_id, weight_g, parcel_no, parcel_count } = first
  return {
    version: 2,
    method: shipping_method,
    services: [],
    order_no,
    ship_date,
    service_point: service_point_id === null ? null : { id: service_point_id, name: '', address1: '', postcode: '', city: '', country: '' },
    parcel: { parcel_no, parcel_count, weight_g, size_mm: null, crate: null },
    customs: null,
    label: { format: 'pdf' },
    locale: '',
    pickup: null,
  }
}
