/** What the page of an order says first: the one thing that blocks it or comes next, and the one main action. */
import type { Order } from '#features/orders/orders/orders.schemas.ts'

export type MainAction = 'release_hold' | 'release' | 'pack' | 'print' | 'close'

type Parcel = Pick<Order['parcels'][number], 'parcel_no' | 'operation_code' | 'state' | 'has_label' | 'error'>
type OrderBadge = Order['badges'][number]

export type StatusFacts = Pick<Order, 'phase' | 'ship_by' | 'badges' | 'supported_actions'> & { parcels: readonly Parcel[] }

export type Strip =
  | { says: 'held' | 'cancelled_return' | 'no_label' | 'delivered' | 'packing' | 'short' | 'overdue' }
  | { says: 'not_released'; mayRelease: boolean }
  | { says: 'label_failed'; sentence: string | null }
  | { says: 'warning'; badge: OrderBadge; mayEdit: boolean }
  | { says: 'parcel'; parcel: Parcel }

/** Warnings that another address can settle. */
const addressKinds = ['address', 'postcode', 'phone', 'email']
/** A parcel in one of these states is not simply on its way. */
const troubles: readonly string[] = ['delivery_failed', 'needs_attention', 'returning', 'returned_to_sender', 'lost', 'unknown']

const hasLabel = ({ parcels }: StatusFacts): boolean =>
  parcels.some(
    parcel => parcel.has_label && parcel.operation_code === 'outbound' && parcel.state !== 'cancelled' && parcel.state !== 'blocked',
  )

const isAllowed = (order: StatusFacts, action: 'release' | 'close' | 'edit_address'): boolean =>
  order.supported_actions.some(one => one.action === action && one.allowed)

/** The one thing that blocks the order, else what comes next, else nothing. */
export function stripOf(order: StatusFacts, now: number): Strip | null {
  const { phase } = order
  if (phase === 'cancelled_return_to_stock') return { says: 'cancelled_return' }
  if (phase === 'cancelled' || phase === 'closed') return null
  const parcel = order.parcels.findLast(one => one.operation_code === 'outbound' && troubles.includes(one.state))
  if (parcel) return { says: 'parcel', parcel }
  if (phase === 'delivered') return { says: 'delivered' }
  if (phase === 'handed_over') return null
  if (phase === 'held') return { says: 'held' }
  if (phase === 'label_error') return { says: 'label_failed', sentence: order.parcels.findLast(one => one.error !== null)?.error ?? null }
  if (phase === 'short') return { says: 'short' }
  if (phase === 'packed') return hasLabel(order) ? null : { says: 'no_label' }
  const badge = order.badges.find(one => one.severity === 'error')
  if (badge) return { says: 'warning', badge, mayEdit: addressKinds.includes(badge.kind) && isAllowed(order, 'edit_address') }
  if (phase === 'in_pack') return { says: 'packing' }
  if (phase === 'new') return { says: 'not_released', mayRelease: isAllowed(order, 'release') }
  return order.ship_by !== null && Date.parse(order.ship_by) < now ? { says: 'overdue' } : null
}

/** The one filled button; null where the order asks for nothing. */
export function mainActionOf(order: StatusFacts): MainAction | null {
  switch (order.phase) {
    case 'held':
      return 'release_hold'
    case 'new':
      return isAllowed(order, 'release') ? 'release' : null
    case 'ready':
    case 'in_pick':
    case 'picked':
    case 'in_pack':
    case 'short':
    case 'label_error':
      return 'pack'
    case 'packed':
      return hasLabel(order) ? 'print' : null
    case 'handed_over':
    case 'delivered':
      return isAllowed(order, 'close') ? 'close' : null
    default:
      return null
  }
}
