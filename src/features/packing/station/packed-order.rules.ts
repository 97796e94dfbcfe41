/** The packing station: what can be done about an order that is packed and still in the warehouse. */
import { access } from '#contract/access.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { haveLabel } from './label-state.rules.ts'
import type { Situation, StationChoice } from './packing-model.rules.ts'
import { call, mayDo, personOf, play, type Step, set } from './packing-step.rules.ts'
import { standingOf } from './station.rules.ts'

type Person = Pick<Situation, 'user' | 'station'>

/** Parcels with a label that are still here. */
const unpackable = ({ parcels }: PackingOrder) => parcels.filter(parcel => parcel.state === 'booked')

const reopening: StationChoice = {
  ...{ key: 'reopen', text: 'Reopen', detail: 'Unpacks all parcels and cancels their labels' },
  event: { type: 'reopen' },
}

export function packedChoices(order: PackingOrder, unpacking: number | null, person: Person): StationChoice[] {
  const { kind } = standingOf(order, personOf(person))
  if (kind !== 'packed' && kind !== 'ready') return []
  const { order_id, order_no } = order
  if (unpacking !== null)
    return [
      { key: 'unpack', text: 'Cancel the label and unpack', event: { type: 'unpack_confirmed' } },
      { key: 'keep', text: 'Keep parcel', event: { type: 'back' } },
    ]
  if (kind !== 'packed') return []
  const reprint: StationChoice = { key: 'reprint', text: 'Print label again', event: { type: 'reprint', order_id, order_no } }
  const mayUnpack = mayDo(person, [...access.scanAdmin, ...access.parcelsAdmin], 'unpack')
  return [
    ...(haveLabel(order.parcels) ? [reprint] : []),
    ...(mayUnpack
      ? unpackable(order)
          .slice(0, 6)
          .map(
            ({ shipment_id, parcel_no, tracking_no }): StationChoice => ({
              ...{ key: `${shipment_id}`, text: 'Unpack parcel {{parcel}}', values: { parcel: parcel_no } },
              ...{ ...(tracking_no !== null && { note: tracking_no }), event: { type: 'unpack', shipment_id } },
            }),
          )
      : []),
    ...(mayDo(person, access.parcelsAdmin) ? [reopening] : []),
  ]
}

export function unpack(step: Step): Step {
  const { order, unpacking, busy } = step.state
  if (!order || unpacking === null || busy) return step
  set(step, { busy: true })
  return call(step, 'unpack', { order_id: order.order_id, shipment_id: unpacking })
}

export function reopen(step: Step): Step {
  const { order, busy } = step.state
  if (!order || busy) return step
  set(step, { busy: true })
  play(step, 'attention')
  return call(step, 'reopen', { order_id: order.order_id })
}
