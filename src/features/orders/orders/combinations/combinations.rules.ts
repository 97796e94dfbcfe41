/** Which orders may go in one parcel, and in words why others may not. */
import type { ErrorCode } from '#contract/error-codes.ts'
import type { Reason, WorkState } from '../orders.rules.ts'
import { mostCombined } from './combinations.codes.ts'

export interface CombinableOrder {
  id: number
  company_id: number
  order_no: string
  ordered_at: string
  ship_by: string | null
  work_state: WorkState
  held: boolean
  cancelled_at: string | null
  /** It goes in one parcel with others already. */
  is_combined: boolean
  /** It is a part of an order, or has parts. */
  is_split: boolean
  /** Something of it was picked or packed, or it has a label. */
  begun: boolean
  currency: string
  payment_state: string
  agent_code: string | null
  shipping_method: string | null
  service_point_id: string | null
  wished_date: string | null
  /** Reason, terms and numbers for customs. */
  customs: Readonly<Record<string, unknown>>
  customer_email: string | null
  customer_phone: string | null
  ship_to: Recipient
}

interface Recipient {
  name: string
  company: string | null
  address1: string
  address2: string | null
  postcode: string
  city: string
  country: string
  instruction: string | null
  door_code: string | null
}

const reason = (code: ErrorCode, text: string): Reason => ({ code, text, values: {} })

const reasons = {
  company: reason('combine_company', 'It belongs to another company'),
  cancelled: reason('combine_cancelled', 'It is cancelled'),
  combined: reason('combine_again', 'It goes in one parcel with other orders already'),
  split: reason('combine_split', 'It was split into parts'),
  gone: reason('combine_gone', 'Its parcel is packed or has left'),
  begun: reason('combine_begun', 'It is being picked or packed, or has a label'),
  unreleased: reason('combine_unreleased', 'It is not released yet'),
  held: reason('combine_held', 'It is on hold'),
  noMethod: reason('combine_no_method', 'It has no shipping method'),
  recipient: reason('combine_recipient', 'It goes to another recipient or address'),
  contact: reason('combine_contact', 'It has another e-mail address or phone number'),
  method: reason('combine_method', 'It is sent by another shipping method'),
  parcelShop: reason('combine_parcel_shop', 'It goes to another parcel shop'),
  day: reason('combine_day', 'The recipient wants it on another day'),
  instruction: reason('combine_instruction', 'It has another delivery instruction or door code'),
  currency: reason('combine_currency', 'It is paid in another currency'),
  payment: reason('combine_payment', 'It has another payment status'),
  customs: reason('combine_customs', 'It has other customs data'),
} as const

/** Written alike but for case, accents, punctuation and spaces, as `combine_text` of migration 0525 writes it. */
export const folded = (text: string | null): string =>
  (text ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ς', 'σ')

/** Where it goes: two orders with the same text go to one recipient. */
export const recipientKey = ({ name, company, address1, address2, postcode, city, country }: Recipient): string =>
  [name, company, `${address1} ${address2 ?? ''}`, postcode, city, country].map(folded).join('/')

const differ = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && folded(one) !== '' && folded(other) !== '' && folded(one) !== folded(other)

/** National and international writing of a number end alike. */
const phoneEnd = (phone: string | null): string | null => (phone === null ? null : phone.replace(/\D/g, '').slice(-8))

const customsOf = (customs: CombinableOrder['customs']): string =>
  JSON.stringify(
    Object.entries(customs)
      .filter(([, value]) => value !== null && value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** Why this order by itself may not go with another one. */
export function refusalOfOrder(order: CombinableOrder): Reason | null {
  if (order.cancelled_at !== null) return reasons.cancelled
  if (order.work_state === 'packed' || order.work_state === 'handed_over' || order.work_state === 'closed') return reasons.gone
  if (order.is_combined) return reasons.combined
  if (order.is_split) return reasons.split
  if (order.work_state === 'in_pick' || order.work_state === 'picked' || order.work_state === 'in_pack' || order.begun) return reasons.begun
  if (order.held) return reasons.held
  if (order.work_state === 'new') return reasons.unreleased
  return order.agent_code === null || order.shipping_method === null ? reasons.noMethod : null
}

/** What orders of one parcel have in common, and why they may not go together where they differ. */
const common: readonly (readonly [(order: CombinableOrder) => string, Reason])[] = [
  [order => String(order.company_id), reasons.company],
  [order => recipientKey(order.ship_to), reasons.recipient],
  [order => `${order.agent_code}/${order.shipping_method}`, reasons.method],
  [order => order.service_point_id ?? '', reasons.parcelShop],
  [order => order.wished_date ?? '', reasons.day],
  [order => `${folded(order.ship_to.instruction)}/${folded(order.ship_to.door_code)}`, reasons.instruction],
  [order => order.currency, reasons.currency],
  [order => order.payment_state, reasons.payment],
  [order => customsOf(order.customs), reasons.customs],
]

type Contact = Pick<CombinableOrder, 'customer_email' | 'customer_phone'>
const contactsDiffer = (one: Contact, other: Contact): boolean =>
  differ(one.customer_email, other.customer_email) || differ(phoneEnd(one.customer_phone), phoneEnd(other.customer_phone))

/** Why this order may not go in the parcel of the lead. */
export function refusalOfPair(lead: CombinableOrder, order: CombinableOrder): Reason | null {
  const why = common.find(([textOf]) => textOf(lead) !== textOf(order))?.[1] ?? null
  if (why === reasons.company || why === reasons.recipient) return why
  return contactsDiffer(lead, order) ? reasons.contact : why
}

const time = (at: string | null): number => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at))

/** The order that must leave first carries the parcel; the oldest where several must leave at one time. */
export const leadOf = <T extends Urgency>(orders: readonly T[]): T | undefined => orders.toSorted(sooner)[0]

type Urgency = Pick<CombinableOrder, 'id' | 'ship_by' | 'ordered_at'>
const sooner = (a: Urgency, b: Urgency): number =>
  compare(time(a.ship_by), time(b.ship_by)) || compare(time(a.ordered_at), time(b.ordered_at)) || a.id - b.id

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

/** Why each of these orders keeps them from going in one parcel; empty where they may. */
export function refusalsOf(orders: readonly CombinableOrder[]): Map<number, Reason> {
  const refused = new Map<number, Reason>()
  const lead = leadOf(orders.filter(order => refusalOfOrder(order) === null)) ?? orders[0]
  for (const order of orders) {
    const why = refusalOfOrder(order) ?? (lead && lead !== order ? refusalOfPair(lead, order) : null)
    if (why) refused.set(order.id, why)
  }
  return refused
}

/** What is kept of each order while many are sorted into parcels. */
export interface SortableOrder extends Contact, Pick<CombinableOrder, 'id' | 'ship_by' | 'ordered_at'> {
  order_no: string
  /** The same text for orders that may go together, but for their contacts. */
  key: string
  refusal: Reason | null
}

export const asSortable = (order: CombinableOrder): SortableOrder => ({
  id: order.id,
  order_no: order.order_no,
  ship_by: order.ship_by,
  ordered_at: order.ordered_at,
  customer_email: order.customer_email,
  customer_phone: order.customer_phone,
  key: common.map(([textOf]) => textOf(order)).join('\n'),
  refusal: refusalOfOrder(order),
})

export const alone = reason('combine_alone', 'None of the other orders goes to the same recipient in the same way')

/** So many parcels to one place with other contacts are compared with each order. */
const mostOpenParcels = 20

/** Sorts orders into parcels, each with its lead first; names those that go by themselves, with the reason. */
export function parcelsOf<T extends SortableOrder>(orders: readonly T[]): { parcels: T[][]; refused: Map<number, Reason> } {
  const refused = new Map<number, Reason>()
  const parcels: T[][] = []
  for (const order of orders) if (order.refusal) refused.set(order.id, order.refusal)
  const free = orders.filter(order => order.refusal === null)
  for (const some of Map.groupBy(free, order => order.key).values()) {
    const sorted = some.length === 1 ? some : some.toSorted(sooner)
    const began: T[][] = []
    let open: T[][] = []
    for (const order of sorted) {
      const fits = open.find(parcel => parcel.every(other => !contactsDiffer(other, order)))
      if (fits) {
        fits.push(order)
        if (fits.length === mostCombined) open = open.filter(parcel => parcel !== fits)
        continue
      }
      const parcel = [order]
      began.push(parcel)
      open = [...open, parcel].slice(-mostOpenParcels)
    }
    for (const parcel of began) {
      const [only] = parcel
      if (parcel.length > 1) parcels.push(parcel)
      else if (only) refused.set(only.id, alone)
    }
  }
  return { parcels, refused }
}
