/** What an order may do next, and in words why not: one judgement for the handlers and for the screens. */

import { access, isAllowed, type Permission } from '#contract/access.ts'
import type { ErrorCode } from '#contract/error-codes.ts'
import { keysOf } from '#domain/objects.ts'

export const workStates = ['new', 'ready', 'in_pick', 'picked', 'in_pack', 'packed', 'handed_over', 'closed'] as const
export type WorkState = (typeof workStates)[number]

/** What people see of an order, derived by the database from its facts. */
export const phases = [
  ...workStates,
  'held',
  'label_error',
  'short',
  'combined',
  'delivered',
  'cancelled',
  'cancelled_return_to_stock',
] as const
export type Phase = (typeof phases)[number]

/** Orders of these phases are still in the warehouse: the lists count them, and their deadline matters. */
export const openPhases = [
  'new',
  'ready',
  'in_pick',
  'picked',
  'in_pack',
  'packed',
  'held',
  'label_error',
  'short',
  'combined',
  'cancelled_return_to_stock',
] as const satisfies readonly Phase[]
/** Something must still be done before the parcel can leave: the phases of the deadlines. */
export const duePhases = [
  'new',
  'ready',
  'in_pick',
  'picked',
  'in_pack',
  'held',
  'short',
  'label_error',
] as const satisfies readonly Phase[]
/** The parcel has not left: the phases that boards of deadlines count. */
export const unsentPhases = [...duePhases, 'packed'] as const satisfies readonly Phase[]

export const actions = [
  'release',
  'cancel',
  'reopen',
  'close',
  'hold',
  'lock',
  'unlock',
  'pin',
  'unpin',
  'edit_address',
  'set_method',
] as const
export type Action = (typeof actions)[number]

/** Why something is refused: the code of the refusal, its sentence as a translation key, and what fills the sentence. */
export interface Reason {
  code: ErrorCode
  text: string
  values: Record<string, string | number>
}

export interface Facts {
  work_state: WorkState
  held: boolean
  cancelled_at: string | null
  put_back_due: boolean
  pinned_at: string | null
  /** Labels that are booked and not cancelled or blocked. */
  live_labels: number
  /** Labels whose booking runs, or whose outcome is not known. */
  labels_booking: number
  /** Outbound parcels that have neither arrived nor come back nor been lost. */
  parcels_moving: number
  locked: boolean
  /** Absent or null where it goes by itself. */
  combined?: Combined | null
}

/** An order that goes in one parcel with others. */
export interface Combined {
  /** The number of the order that carries the parcel; null where it is this one. */
  lead_no: string | null
  /** Something of the parcel was picked or packed, or has a label. */
  begun: boolean
  /** The number of another order whose hold stops the parcel of this one. */
  held_no: string | null
}

const reason = (code: ErrorCode, text: string): Reason => ({ code, text, values: {} })

const reasons = {
  cancelled: reason('order_cancelled', 'The order is cancelled'),
  alreadyReleased: reason('order_released', 'The order is released already'),
  held: reason('order_held', 'The order is on hold. Release the hold first.'),
  mayNotCancel: reason('order_cancel_forbidden', 'You do not have permission to cancel orders. Ask a lead.'),
  packedCancel: reason('order_packed_reopen_to_cancel', 'The order is packed: reopen it first, then cancel it'),
  gone: reason('parcel_handed_over_register_return', 'The parcel has left the warehouse: register a return instead'),
  mayNotReopen: reason('order_reopen_forbidden', 'You do not have permission to reopen orders. Ask a lead.'),
  notPacked: reason('order_only_packed_reopens', 'Only a packed order can be reopened'),
  booking: reason('label_booking', 'A label is being booked at this moment: wait until it is there'),
  mayNotClose: reason('order_close_forbidden', 'You do not have permission to close orders. Ask a lead.'),
  notHandedOver: reason('order_not_handed_over', 'Only an order that was handed over to the courier can be closed'),
  moving: reason('parcel_moving', 'A parcel of this order has neither arrived nor come back yet'),
  alreadyClosed: reason('order_closed', 'The order is closed already'),
  alreadyLocked: reason('order_already_locked', 'The order is locked already'),
  notLocked: reason('order_not_locked', 'The order is not locked'),
  packedAddress: reason('order_packed_reopen_for_address', 'The order is packed: reopen it to change the address'),
  labelled: reason('order_labelled', 'A label is printed for this order: cancel the label first'),
  packedMethod: reason('order_packed_reopen_for_method', 'The order is packed: reopen it to change how it is sent'),
  left: reason('parcel_handed_over', 'The parcel has left the warehouse'),
  alreadyPinned: reason('order_pinned', 'The order is pinned already'),
  combinedBegun: reason(
    'order_combined_begun',
    'Work on the parcel of several orders has begun: put the order on hold and decide at the station',
  ),
  combinedInto: reason('order_combined', 'It goes in the parcel of order {{order_no}}. Take it out of that parcel first.'),
  combines: reason('order_combines', 'Other orders go in the same parcel. Undo that first.'),
  notPinned: reason('order_not_pinned', 'The order is not pinned'),
}

/** What is done with the order that carries the parcel, or that all orders in it have in common. */
const leadActions: readonly Action[] = ['release', 'reopen', 'close', 'pin', 'edit_address', 'set_method']
const commonActions: readonly Action[] = ['edit_address', 'set_method']

/** Why the items of an order, or when it must leave, stay as they are while it goes in one parcel with others. */
export const whyNotChanged = ({ combined }: Pick<Facts, 'combined'>, of: 'items' | 'ship_by'): Reason | null =>
  combined?.lead_no
    ? { ...reasons.combinedInto, values: { order_no: combined.lead_no } }
    : combined && of === 'items'
      ? reasons.combines
      : null

function whyNotCombined(action: Action, { combined }: Facts): Reason | null {
  if (!combined) return null
  if (action === 'cancel' && combined.begun) return reasons.combinedBegun
  if (combined.lead_no !== null && leadActions.includes(action)) return { ...reasons.combinedInto, values: { order_no: combined.lead_no } }
  return commonActions.includes(action) ? reasons.combines : null
}

const gone = (state: WorkState) => state === 'handed_over' || state === 'closed'

/** Why this person may not do this to this order now; null when they may. */
export function whyNot(action: Action, order: Facts, permissions: readonly Permission[]): Reason | null {
  return whyNotAlone(action, order, permissions) ?? whyNotCombined(action, order)
}

function whyNotAlone(action: Action, order: Facts, permissions: readonly Permission[]): Reason | null {
  const cancelled = order.cancelled_at !== null
  switch (action) {
    case 'release':
      if (cancelled) return reasons.cancelled
      if (order.work_state !== 'new') return reasons.alreadyReleased
      return order.held ? reasons.held : null
    case 'cancel':
      if (!isAllowed(permissions, access.parcelsAdmin)) return reasons.mayNotCancel
      if (cancelled) return reasons.cancelled
      if (gone(order.work_state)) return reasons.gone
      if (order.work_state === 'packed') return reasons.packedCancel
      return order.labels_booking > 0 ? reasons.booking : null
    case 'reopen':
      if (!isAllowed(permissions, access.scanAdmin)) return reasons.mayNotReopen
      if (cancelled) return reasons.cancelled
      if (gone(order.work_state)) return reasons.gone
      if (order.work_state !== 'packed') return reasons.notPacked
      return order.labels_booking > 0 ? reasons.booking : null
    case 'close':
      if (!isAllowed(permissions, access.parcelsAdmin)) return reasons.mayNotClose
      if (cancelled) return reasons.cancelled
      if (order.work_state === 'closed') return reasons.alreadyClosed
      if (order.work_state !== 'handed_over') return reasons.notHandedOver
      return order.parcels_moving > 0 ? reasons.moving : null
    case 'hold':
      if (cancelled) return reasons.cancelled
      return gone(order.work_state) ? reasons.left : null
    case 'lock':
      if (cancelled) return reasons.cancelled
      if (gone(order.work_state)) return reasons.left
      return order.locked ? reasons.alreadyLocked : null
    case 'unlock':
      return order.locked ? null : reasons.notLocked
    case 'pin':
      return order.pinned_at === null ? null : reasons.alreadyPinned
    case 'unpin':
      return order.pinned_at === null ? reasons.notPinned : null
    case 'edit_address':
    case 'set_method':
      if (cancelled) return reasons.cancelled
      if (gone(order.work_state)) return reasons.left
      if (order.work_state === 'packed') return action === 'edit_address' ? reasons.packedAddress : reasons.packedMethod
      if (order.labels_booking > 0) return reasons.booking
      return order.live_labels > 0 ? reasons.labelled : null
  }
}

/** What `set_state` fires for each state it takes; the others are refused with a sentence. */
export const stateEvents = { ready: 'release', picked: 'reopen', cancelled: 'cancel', closed: 'close' } as const satisfies Record<
  string,
  Action
>
export type SettableState = keyof typeof stateEvents

export const isSettable = (state: string): state is SettableState => Object.hasOwn(stateEvents, state)

/** True when the order stands there already, so that the same call sent twice is answered twice alike. */
export function standsThere(state: SettableState, order: Pick<Facts, 'work_state' | 'cancelled_at' | 'held'>): boolean {
  if (state === 'cancelled') return order.cancelled_at !== null
  if (order.cancelled_at !== null) return false
  return order.work_state === state && !(state === 'ready' && order.held)
}

/** The lists that everybody has; people save their own beside them. */
export const presets = {
  all: {},
  to_pick: { phase: ['ready'] },
  held: { phase: ['held'] },
  short: { phase: ['short'] },
  label_error: { phase: ['label_error'] },
  overdue: { due: 'late' },
  due_today: { due: 'today' },
  abroad: { abroad: true, open: true },
  pinned: { pinned: true },
  mine: { mine: true },
} as const satisfies Record<string, PresetFilter>
export type Preset = keyof typeof presets
export const presetNames = keysOf(presets)

export interface PresetFilter {
  phase?: readonly Phase[]
  due?: 'late' | 'today'
  abroad?: true
  open?: true
  pinned?: true
  mine?: true
}
