/** The causes: whose matter each is, since when it holds, and what takes it away. */
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { reasonSentences } from '#features/warehouse/pick-lists/order-selection.rules.ts'
import type { LeftOutReason } from '#features/warehouse/pick-lists/pick-lists.schemas.ts'
import type { CauseFix, CauseOwner } from './why-not.codes.ts'
import type { Cause } from './why-not.schemas.ts'

interface Meaning {
  owner: CauseOwner
  fix: CauseFix
}

/** What planning says of one order. */
export const pickMeanings: Record<LeftOutReason, Meaning> = {
  unknown: { owner: 'office', fix: 'none' },
  not_asked: { owner: 'lead', fix: 'new_list' },
  cancelled: { owner: 'office', fix: 'copy' },
  not_released: { owner: 'office', fix: 'release' },
  combined: { owner: 'office', fix: 'none' },
  held: { owner: 'office', fix: 'release_hold' },
  locked: { owner: 'office', fix: 'release_hold' },
  waiting: { owner: 'system', fix: 'release_hold' },
  unpaid: { owner: 'shop', fix: 'release_hold' },
  label_error: { owner: 'office', fix: 'exceptions' },
  short: { owner: 'lead', fix: 'shortages' },
  young: { owner: 'system', fix: 'none' },
  on_list: { owner: 'picker', fix: 'pick_lists' },
  being_packed: { owner: 'packer', fix: 'station' },
  busy: { owner: 'system', fix: 'none' },
  done: { owner: 'packer', fix: 'parcels' },
  nothing_to_pick: { owner: 'office', fix: 'none' },
  no_bin: { owner: 'office', fix: 'product' },
  off_map: { owner: 'lead', fix: 'map' },
  blocked_bin: { owner: 'lead', fix: 'shortages' },
  elsewhere: { owner: 'lead', fix: 'new_list' },
  not_single: { owner: 'lead', fix: 'new_list' },
  customs: { owner: 'office', fix: 'edit_customs' },
  too_heavy: { owner: 'lead', fix: 'new_list' },
  too_large: { owner: 'lead', fix: 'new_list' },
  no_way: { owner: 'lead', fix: 'map' },
  no_slot: { owner: 'lead', fix: 'new_list' },
  enough: { owner: 'lead', fix: 'new_list' },
}

export type PackReason =
  | 'cancelled'
  | 'put_back'
  | 'packed_with'
  | 'held'
  | 'label_running'
  | 'label_unknown'
  | 'at_station'
  | 'in_exceptions'
  | 'being_picked'
  | 'short'
  | 'pick_first'
  | 'packed'

export const packMeanings: Record<PackReason, Meaning & { text: string }> = {
  cancelled: { owner: 'office', fix: 'copy', text: 'Cancelled: it must not be sent' },
  put_back: { owner: 'picker', fix: 'put_back', text: 'Cancelled: its items go back to their bins' },
  packed_with: { owner: 'office', fix: 'none', text: 'This order is packed with order {{order_no}}' },
  held: { owner: 'office', fix: 'release_hold', text: 'Put on hold by {{name}}: {{note}}' },
  label_running: { owner: 'system', fix: 'none', text: 'Its label is being booked' },
  label_unknown: { owner: 'office', fix: 'parcels', text: 'Whether the courier booked the label is not known' },
  at_station: { owner: 'packer', fix: 'station', text: '{{name}} has it at {{station}}' },
  in_exceptions: { owner: 'office', fix: 'exceptions', text: 'Waits in exceptions' },
  being_picked: { owner: 'picker', fix: 'pick_lists', text: 'Still being picked' },
  short: { owner: 'lead', fix: 'shortages', text: 'Items were missing: someone has to decide first' },
  pick_first: { owner: 'lead', fix: 'new_list', text: 'The company packs only picked orders' },
  packed: { owner: 'packer', fix: 'parcels', text: 'It is packed already' },
}

const combinedHold = 'Combined with {{order_no}}, which is on hold'
const stoppedByHold: readonly LeftOutReason[] = ['held', 'locked', 'waiting', 'unpaid']

/** The number of another order in its parcel whose hold stops it; null where its own does. */
const heldBy = ({ locks, combined }: Order): string | null => (locks.length > 0 ? null : (combined?.held_no ?? null))

export interface Around {
  /** The open exception, if there is one. */
  exception: { owner: string | null; since: string } | null
  short_since: string | null
  listed_since: string | null
  pack_without_pick_list: boolean
}

interface Fact {
  person: string | null
  since: string | null
}

/** Who and since when, from what the order says. */
function factOf(order: Order, around: Around, code: LeftOutReason | PackReason): Fact {
  const [lock] = order.locks
  switch (code) {
    case 'held':
    case 'locked':
    case 'waiting':
    case 'unpaid':
      return { person: lock?.actor ?? null, since: lock?.created_at ?? null }
    case 'cancelled':
    case 'put_back':
      return { person: null, since: order.cancelled_at }
    case 'not_released':
    case 'young':
    case 'pick_first':
      return { person: null, since: order.created_at }
    case 'being_packed':
    case 'at_station':
      return { person: order.packing?.user_name ?? null, since: order.packing?.opened_at ?? null }
    case 'in_exceptions':
    case 'label_error':
      return { person: around.exception?.owner ?? null, since: around.exception?.since ?? null }
    case 'short':
      return { person: null, since: around.short_since }
    case 'on_list':
    case 'being_picked':
      return { person: null, since: around.listed_since }
    case 'done':
    case 'packed':
      return { person: null, since: order.packed_at }
    case 'label_running':
    case 'label_unknown':
      return { person: null, since: order.parcels.at(-1)?.created_at ?? null }
    default:
      return { person: null, since: null }
  }
}

interface LeftOut {
  reason: LeftOutReason
  text: string
  values: Record<string, string | number>
}

export function pickCauses(order: Order, around: Around, leftOut: readonly LeftOut[]): Cause[] {
  const held_no = heldBy(order)
  return leftOut.map(({ reason, text, values }) => ({
    step: 'pick',
    code: reason,
    text: text || reasonSentences[reason].one,
    values,
    ...pickMeanings[reason],
    ...factOf(order, around, reason),
    ...(held_no !== null && stoppedByHold.includes(reason) && { text: combinedHold, values: { order_no: held_no }, fix: 'none' as const }),
  }))
}

/** Every cause that holds, the gravest first. */
export function packCauses(order: Order, around: Around): Cause[] {
  const [lock] = order.locks
  const label = order.parcels.findLast(parcel => parcel.operation_code === 'outbound')?.state
  const holding: [PackReason, boolean, Record<string, string | number>?][] = [
    ['put_back', order.phase === 'cancelled_return_to_stock'],
    ['cancelled', order.cancelled_at !== null && order.phase !== 'cancelled_return_to_stock'],
    ['packed', ['packed', 'handed_over', 'closed'].includes(order.work_state)],
    ['packed_with', order.combined?.lead_no != null, { order_no: order.combined?.lead_no ?? '' }],
    ['held', order.held, { name: lock?.actor ?? '–', note: lock?.note || lock?.reason || '–' }],
    ['label_running', label === 'booking'],
    ['label_unknown', label === 'unknown'],
    ['in_exceptions', around.exception !== null],
    ['at_station', order.packing?.state === 'open', { name: order.packing?.user_name ?? '', station: order.packing?.station ?? '' }],
    ['short', order.short],
    ['being_picked', order.work_state === 'in_pick'],
    ['pick_first', !around.pack_without_pick_list && (order.work_state === 'new' || order.work_state === 'ready')],
  ]
  const causes = holding.flatMap(([code, holds, values = {}]): Cause[] => {
    if (!holds) return []
    const { text, ...meaning } = packMeanings[code]
    // Planning has said whose hold it is.
    if (code === 'held' && heldBy(order) !== null) return []
    return [{ step: 'pack', code, text, values, ...meaning, ...factOf(order, around, code) }]
  })
  // Nothing else matters where nothing can be sent any more.
  const end = causes.find(cause => ['put_back', 'cancelled', 'packed'].includes(cause.code))
  return end ? [end] : causes
}
