/** An unreliable courier for tests: it loses requests and answers late, twice, with garbage, or not at all. */

import { refuseUnsupported } from './capabilities.ts'
import {
  type Booking,
  type BookingRequest,
  type Capabilities,
  type Courier,
  CourierRefused,
  CourierUnavailable,
  OutcomeUnknown,
} from './courier.ts'

export const faults = [
  /** Nothing goes wrong. */
  'none',
  /** The request never arrives. */
  'lost',
  /** Booked, but no answer arrives. */
  'mute',
  /** Booked some seconds after our time-out: at the next `tick`. */
  'late',
  /** Booked, and the answer is malformed. */
  'garbage',
  /** Booked, and answered with another parcel's booking. */
  'crossed',
  /** The network delivers the request twice. A courier without keys cannot detect that, so there it is delivered once. */
  'twice',
  /** Refused with a reason. */
  'refused',
  /** The second parcel is refused inside an answer that books the others. */
  'partial',
  /** Temporarily unavailable. */
  'unavailable',
] as const
export type Fault = (typeof faults)[number]

interface Parcel {
  reference: string
  parcel_no: number
  weight_g: number
  order_no: string | null
  tracking_no: string
  live: boolean
}

export interface SlowCourier extends Courier {
  /** Every parcel that the courier has booked, cancelled ones included: what we have to pay. */
  books: Parcel[]
  /** What goes wrong with the next request; by default nothing. */
  fault: (request: BookingRequest) => Fault
  /** Whether a lookup answers. */
  findFails: () => boolean
  cancelFails: () => boolean
  /** Delivers the late requests now. */
  tick(): void
  asked: { book: number; find: number; cancel: number }
}

export function slowCourier({
  agent_code = 'slow',
  recovery,
  cancel = 'yes',
  milliseconds = 0,
  offers = {},
}: {
  agent_code?: string
  recovery: Capabilities['recovery']
  cancel?: Capabilities['cancel']
  milliseconds?: number
  /** Capabilities that differ from those of a plain courier. */
  offers?: Partial<Capabilities>
}): SlowCourier {
  const late: (() => void)[] = []
  let next = 1

  /** Adds the parcels unless their key is booked already. */
  const take = (request: BookingRequest, refused?: number): Parcel[] => {
    const known = recovery === 'idempotency_key' ? slow.books.filter(parcel => parcel.reference === request.idempotency_key) : []
    if (known.length > 0) return known
    const booked = request.parcels
      .filter(parcel => parcel.parcel_no !== refused)
      .map(({ parcel_no, weight_g }) => ({
        reference: request.reference,
        parcel_no,
        weight_g,
        order_no: request.order_no,
        tracking_no: `SLOW${String(next++).padStart(8, '0')}`,
        live: true,
      }))
    slow.books.push(...booked)
    return booked
  }
  const answer = (booked: readonly Parcel[], { settings: _settings, tracking_url: _link, ...request }: BookingRequest): Booking => ({
    reference: booked[0]?.reference ?? request.reference,
    ...(booked[0] && { courier_no: booked[0].tracking_no }),
    parcels: request.parcels.map(({ parcel_no }) => {
      const parcel =
        booked.find(one => one.parcel_no === parcel_no) ?? (booked.length === 1 && request.parcels.length === 1 ? booked[0] : undefined)
      if (!parcel) return { ok: false, message: 'The postcode is not served', field: 'recipient.postcode' }
      const { tracking_no } = parcel
      return {
        ok: true,
        tracking_no,
        barcode: tracking_no,
        cage: null,
        qr_link: request.qr ? `https://qr.slow.example/${tracking_no}` : null,
        documents: ['label', ...(request.customs?.documents ?? [])].map(kind => ({
          kind,
          format: 'pdf',
          paper: kind === 'label' ? 'label' : 'a4',
          bytes: Buffer.from(`%PDF-1.4\n% ${kind} ${tracking_no}\n%%EOF\n`),
        })),
      }
    }),
    exchange: { request, response: { tracking_no: booked[0]?.tracking_no } },
  })
  const pause = () => new Promise(resolve => setTimeout(resolve, milliseconds))

  const slow: SlowCourier = {
    books: [],
    fault: () => 'none',
    findFails: () => false,
    cancelFails: () => false,
    asked: { book: 0, find: 0, cancel: 0 },
    tick() {
      for (const arrive of late.splice(0)) arrive()
    },
    capabilities: {
      agent_code,
      name: 'Slow and sure',
      operations: ['outbound', 'return'],
      methods: [{ code: 'parcel', name: 'Parcel', service_point: 'none', max_weight_g: 30_000, countries: 'all', services: [] }],
      sizes: { pdf: [100, 150] },
      numbers: 'theirs',
      recovery,
      cancel,
      parcels_per_call: 1,
      needs: [],
      parties: [],
      documents: ['label'],
      customs: null,
      pickups: 'none',
      tracking: false,
      parcel_shops: false,
      settings: [{ name: 'api_key', label: 'Key', secret: true }],
      ...offers,
    },
    validate: () => [],
    async book(request) {
      slow.asked.book++
      const fault = slow.fault(request)
      await pause()
      refuseUnsupported(slow.capabilities, request)
      switch (fault) {
        case 'none':
          return answer(take(request), request)
        case 'twice':
          if (recovery === 'idempotency_key') take(request)
          return answer(take(request), request)
        case 'lost':
          throw new OutcomeUnknown('The connection broke')
        case 'mute':
          take(request)
          throw new OutcomeUnknown('The courier did not answer in time')
        case 'late':
          late.push(() => take(request))
          throw new OutcomeUnknown('The courier did not answer in time')
        case 'garbage':
          take(request)
          return {
            parcels: [{ ok: true, barcode: '<html>', documents: [{ kind: 'label', bytes: '<html>' }] }],
            exchange: {},
          } as unknown as Booking
        case 'crossed': {
          const other = slow.books.find(parcel => parcel.live && parcel.reference !== request.reference)
          take(request)
          if (!other) throw new OutcomeUnknown('The courier did not answer in time')
          return answer([other], request)
        }
        case 'partial':
          return answer(take(request, request.parcels[1]?.parcel_no), request)
        case 'refused':
          throw new CourierRefused('The postcode is not served', 'recipient.postcode')
        case 'unavailable':
          throw new CourierUnavailable('The courier is closed for a moment')
      }
    },
    async find(request) {
      slow.asked.find++
      await pause()
      if (slow.findFails()) throw new Error('socket hang up')
      const parcels = slow.books.filter(one => one.live && one.reference === request.reference)
      return parcels.length > 0 ? answer(parcels, request) : null
    },
    async cancel({ tracking_no, courier_no }) {
      slow.asked.cancel++
      await pause()
      if (slow.cancelFails()) throw new Error('socket hang up')
      const parcel = slow.books.find(one => one.tracking_no === tracking_no)
      if (!parcel || cancel === 'no') return { cancelled: false, cancelled_at_carrier: false, refunded: false }
      const together = offers.cancels_together ? slow.books.filter(one => one.reference === parcel.reference) : [parcel]
      if (offers.cancels_together && courier_no !== together[0]?.tracking_no)
        return { cancelled: false, cancelled_at_carrier: false, refunded: false }
      for (const one of together) one.live = false
      return { cancelled: true, cancelled_at_carrier: true, refunded: false }
    },
    track: async () => [],
    parcelShops: async () => [],
  }
  return slow
}
