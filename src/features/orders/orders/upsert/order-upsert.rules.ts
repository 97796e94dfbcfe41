/** What storing an order may come to: the step for one that is known already, and the sentences of those that are refused. */
import type { ImportResult } from '#domain/order/canonical-order.ts'
import type { ImportedLine, ImportedOrder } from '#domain/order/canonical-order-checks.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import type { Contact } from '#features/customers/customers/customers.rules.ts'

export interface Stored {
  external_id: string
  order_no: string
  order_id: number | null
  result: ImportResult['result']
  problems: Problem[]
}

export const storingSentences = {
  picking: 'The order is already being picked: it was not changed',
  packing: 'The order is already being packed: it was not changed',
  packed: 'The order is packed already: it was not changed',
  gone: 'The parcel is on its way: the order can no longer be cancelled',
  cancelled: 'The order is cancelled: it was not changed',
  taken: 'Order {{order_no}} is here already, under the id {{external_id}} of its shop: it was not taken a second time',
  edited: 'The items were changed in the warehouse: change them there',
  long: 'With the parts of its bundles the order has {{count}} lines; at most {{most}} are allowed',
  busy: 'Someone else is changing this right now. Try again.',
} as const

export interface Draft {
  at: number
  order: ImportedOrder
  key: string
  hash: string
}

export interface KnownOrder {
  n: number
  id: number
  fingerprint: string
  source_version: number | null
  work_state: string
  cancelled: boolean
  put_back_due: boolean
  started: boolean
  /** It is picked at this moment, and its lines on the list can follow. */
  on_list: boolean
  /** Its items were changed here. */
  edited: boolean
  /** It goes in one parcel with other orders. */
  combined: boolean
  import_id: number | null
  customer_id: number | null
  version: number
}

export type Known = Draft & { known: KnownOrder }

type Step = 'update' | 'cancel' | 'ask' | 'note' | 'nothing' | Problem

/** What an order that is known already asks for. */
export function stepFor({ order, hash }: Draft, known: KnownOrder): Step {
  const refuse = (text: string, field = ''): Problem => ({ field, text, values: {} })
  const dated = order.version !== null && known.source_version !== null
  // Deliveries overtake one another: only what is newer counts.
  if (dated && order.version! < known.source_version!) return 'nothing'
  if (hash === known.fingerprint) return order.version !== null && order.version > (known.source_version ?? -1) ? 'note' : 'nothing'
  const sent = known.work_state === 'handed_over' || known.work_state === 'closed'
  if (order.status === 'cancelled') {
    if (known.cancelled) return 'note'
    if (sent) return refuse(storingSentences.gone, 'status')
    return known.work_state === 'packed' || (known.combined && known.started) ? 'ask' : 'cancel'
  }
  if (known.cancelled) {
    // Only a shop that says it later than its cancellation takes it back.
    if (dated && order.version === known.source_version) return 'nothing'
    const undoes = dated && !known.put_back_due && !known.started && (known.work_state === 'new' || known.work_state === 'ready')
    return undoes ? 'update' : refuse(storingSentences.cancelled, 'status')
  }
  // Our own "done" coming back from the shop.
  if (order.status === 'closed' && (sent || known.work_state === 'packed')) return 'note'
  if (sent || known.work_state === 'packed') return refuse(storingSentences.packed)
  if (known.work_state === 'in_pack') return refuse(storingSentences.packing)
  if (known.edited && order.status !== 'closed') return refuse(storingSentences.edited)
  if (known.combined && known.started) return refuse(storingSentences.picking)
  if (known.on_list && order.status !== 'closed') return 'update'
  if (known.started || (known.work_state !== 'new' && known.work_state !== 'ready')) return refuse(storingSentences.picking)
  return 'update'
}

/** Lines that stand for a product of the catalogue. */
export const isGoods = (line: ImportedLine): boolean => line.type === 'item' && line.requires_shipping && line.sku !== null

export const customerName = ({ customer, ship_to }: ImportedOrder) => customer.name || ship_to.name || (ship_to.company ?? '')
export const customerEmail = ({ customer, ship_to }: ImportedOrder) => customer.email ?? ship_to.email
export const customerPhone = ({ customer, ship_to }: ImportedOrder) => customer.phone ?? ship_to.phone

/** What the stored order will say about its customer. */
export const contactOf = (order: ImportedOrder): Contact => ({
  shop: order.shop,
  customer_external_id: order.customer.external_id,
  customer_name: customerName(order),
  customer_email: customerEmail(order),
  customer_phone: customerPhone(order),
  recipient: order.ship_to,
})

/** A length that a product can have: 0 stands for one that was left out. */
export const size = (mm: number | null): number | null => (mm && mm > 0 ? mm : null)
