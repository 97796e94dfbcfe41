/** What an order may do next, and in words why not: one judgement for the handlers and for the screens. */
import { access, isAllowed, type Permission } from '#contract/access.ts'

export const workStates = ['new', 'ready', 'in_pick', 'picked', 'in_pack', 'packed', 'handed_over', 'closed'] as const
export type WorkState = (typeof workStates)[number]

/** What people see of an order, derived by the database from its facts. */
export const phases = [...workStates, 'held', 'label_error', 'short', 'delivered', 'cancelled', 'cancelled_return_to_stock'] as const
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

/** A sentence with places: the translation key, and what fills it. */
export interface Reason {
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
}

const orderSentences = {
  cancelled: 'The order is cancelled',
  alreadyReleased: 'The order is released already',
  held: 'The order is held: release the hold first',
  mayNotCancel: 'Only somebody with the right parcels_admin may cancel an order',
  packedCancel: 'The order is packed: reopen it first, then cancel it',
  gone: 'The parcel has left the warehouse: register a return instead',
  mayNotReopen: 'Only somebody with the right scan_admin may reopen an order',
  notPacked: 'Only a packed order can be reopened',
  booking: 'A label is being booked at this moment: wait until it is there',
  mayNotClose: 'Only somebody with the right parcels_admin may close an order',
  notHandedOver: 'Only an order that was handed over to the courier can be closed',
  moving: 'A parcel of this order has neither arrived nor come back yet',
  alreadyClosed: 'The order is closed already',
  alreadyLocked: 'The order is locked already',
  notLocked: 'The order is not locked',
  packedAddress: 'The order is packed: reopen it to change the address',
  labelled: 'A label is printed for this order: cancel the label first',
  packedMethod: 'The order is packed: reopen it to change how it is sent',
  left: 'The parcel has left the warehouse',
  alreadyPinned: 'The order is pinned already',
  notPinned: 'The order is not pinned',
} as const
const say = orderSentences

const gone = (state: WorkState) => state === 'handed_over' || state === 'closed'

/** Why this person may not do this to this order now; null when they may. */
export function whyNot(action: Action, order: Facts, permissions: readonly Permission[]): Reason | null {
  const text = sentenceAgainst(action, order, permissions)
  return text === null ? null : { text, values: {} }
}

function sentenceAgainst(action: Action, order: Facts, permissions: readonly Permission[]): string | null {
  const cancelled = order.cancelled_at !== null
  switch (action) {
    case 'release':
      if (cancelled) return say.cancelled
      if (order.work_state !== 'new') return say.alreadyReleased
      return order.held ? say.held : null
    case 'cancel':
      if (!isAllowed(permissions, access.parcelsAdmin)) return say.mayNotCancel
      if (cancelled) return say.cancelled
      if (gone(order.work_state)) return say.gone
      if (order.work_state === 'packed') return say.packedCancel
      return order.labels_booking > 0 ? say.booking : null
    case 'reopen':
      if (!isAllowed(permissions, access.scanAdmin)) return say.mayNotReopen
      if (cancelled) return say.cancelled
      if (gone(order.work_state)) return say.gone
      if (order.work_state !== 'packed') return say.notPacked
      return order.labels_booking > 0 ? say.booking : null
    case 'close':
      if (!isAllowed(permissions, access.parcelsAdmin)) return say.mayNotClose
      if (cancelled) return say.cancelled
      if (order.work_state === 'closed') return say.alreadyClosed
      if (order.work_state !== 'handed_over') return say.notHandedOver
      return order.parcels_moving > 0 ? say.moving : null
    case 'hold':
      if (cancelled) return say.cancelled
      return gone(order.work_state) ? say.left : null
    case 'lock':
      if (cancelled) return say.cancelled
      if (gone(order.work_state)) return say.left
      return order.locked ? say.alreadyLocked : null
    case 'unlock':
      return order.locked ? null : say.notLocked
    case 'pin':
      return order.pinned_at === null ? null : say.alreadyPinned
    case 'unpin':
      return order.pinned_at === null ? say.notPinned : null
    case 'edit_address':
    case 'set_method':
      if (cancelled) return say.cancelled
      if (gone(order.work_state)) return say.left
      if (order.work_state === 'packed') return action === 'edit_address' ? say.packedAddress : say.packedMethod
      if (order.labels_booking > 0) return say.booking
      return order.live_labels > 0 ? say.labelled : null
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
  late_today: { due: 'today' },
  abroad: { abroad: true, open: true },
  pinned: { pinned: true },
  mine: { mine: true },
} as const satisfies Record<string, PresetFilter>
export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

interface PresetFilter {
  phase?: readonly Phase[]
  due?: 'late' | 'today'
  abroad?: true
  open?: true
  pinned?: true
  mine?: true
}
