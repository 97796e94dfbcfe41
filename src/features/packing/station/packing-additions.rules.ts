/** The packing station: each additional product is in the parcel, or left out with a reason, before the parcel is closed. */
import { keysOf } from '#domain/objects.ts'
import type { SkipReason } from '#features/orders/additional-products/additional-products.codes.ts'
import type { OrderAddition } from '#features/orders/additional-products/additional-products.schemas.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import type { PackingState, StationChoice } from './packing-model.rules.ts'
import { call, play, type Step, set } from './packing-step.rules.ts'

/** What the packer has to confirm or to scan next. */
export const nextAddition = ({ additions }: PackingOrder): OrderAddition | undefined =>
  additions.find(one => one.state === 'planned' && one.handling !== 'show')

const skips = { missing: 'Not available', damaged: 'Damaged', left_out: 'Left out on purpose' } satisfies Record<SkipReason, string>

export const additionChoices = ({ id, handling }: OrderAddition): StationChoice[] => [
  {
    key: 'packed',
    text: 'It is in the parcel',
    event: { type: 'add', id, skip: null },
    ...(handling === 'scan' && { closed: 'Scan it' }),
  },
  ...keysOf(skips).map((skip): StationChoice => ({ key: skip, text: skips[skip], event: { type: 'add', id, skip } })),
]

/** Before the parcel is closed: whether something has to go into it first. */
export function asksForAdditions(step: Step, order: PackingOrder, adding: NonNullable<PackingState['adding']>): boolean {
  if (!nextAddition(order)) return false
  set(step, { adding, photographing: null, dialog: null, wrong: null, choosing: null, approving: null })
  play(step, 'attention')
  return true
}

export function add(step: Step, id: number, skip: SkipReason | null): Step {
  const { order, busy } = step.state
  if (!order || busy) return step
  set(step, { busy: true })
  return call(step, 'add', { order_id: order.order_id, id, skip }, { afterScansOf: order.order_id })
}

/** Scanned into the parcel. */
export const withAdded = (order: PackingOrder, id: number): PackingOrder => ({
  ...order,
  additions: order.additions.map(one => (one.id === id ? { ...one, state: 'packed' as const } : one)),
})
