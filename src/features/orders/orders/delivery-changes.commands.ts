/** Where an order goes: another address, or another parcel shop. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { keysOf } from '#domain/objects.ts'
import { phoneOf, postcodeOf } from '#domain/order/address.ts'
import { parcelShopLine } from '#domain/order/parcel-shop.ts'
import { StoredShop } from '#domain/order/stored-shop.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import { asImported, badgesNow, findAnew } from './order-edits.commands.ts'
import type { OrderFacts } from './order-facts.queries.ts'
import { type ChangedOrder, editOrder, notifyWorkers } from './order-state.commands.ts'
import type { AddressChange, ShipTo } from './orders.schemas.ts'

/** As the import writes parcel shops. */
export interface ChosenShop {
  id: string
  name: string
  address1: string
  postcode: string
  city: string
  country: string
}

type Tools = Pick<TransactionContext, 'db' | 'recordEvents' | 'notify'>
type Edited = Omit<AddressChange, 'version'>

const changeable = ['new', 'ready', 'in_pick', 'picked', 'in_pack'] as const
export const busy = () => conflict('busy', 'Someone else is changing this right now. Try again.')

/** Changes the address of an order that `takeOrder` took and that may be changed; null where it stays as it is. */
export async function changeShippingAddress(tools: Tools, order: OrderFacts, change: Edited): Promise<ChangedOrder | null> {
  const { db, notify } = tools
  const stored = orNotFound(await asImported(db, order.id), 'order_not_found', 'Order not found')
  const before = stored.order.ship_to
  const ship_to = editedAddress(before, change)
  const fields = keysOf(ship_to).filter(name => ship_to[name] !== before[name] && name !== 'phone_raw')
  if (fields.length === 0) return null
  const edited = { ...stored, order: { ...stored.order, ship_to } }
  const changed = await editOrder(tools, order.id, {
    from: changeable,
    content: { ship_to: JSON.stringify(ship_to), badges: JSON.stringify(await badgesNow(db, edited)) },
    clears_label_error: true,
    event: {
      kind: 'order.address_changed',
      data: {
        address: [
          ship_to.name,
          ship_to.company,
          ship_to.address1,
          ship_to.address2,
          `${ship_to.postcode} ${ship_to.city}`.trim(),
          ship_to.phone,
          ship_to.email,
        ]
          .filter(Boolean)
          .join(', '),
        before: Object.fromEntries(fields.map(name => [name, before[name]])),
        after: Object.fromEntries(fields.map(name => [name, ship_to[name]])),
      },
    },
  })
  if (!changed) throw busy()
  await findAnew(db, order.id, edited)
  // The station shows the new address at once to the person who packs this order for the old one.
  if (order.work_state === 'in_pack') notifyWorkers(notify, order)
  return changed
}

/** The address with its changed fields, written the way the import writes addresses. The country stays. */
function editedAddress(before: ShipTo, change: Edited): ShipTo {
  const text = (value: string | null | undefined, old: string) => (value === undefined || value === null ? old : value.replace(/\s+/g, ' '))
  const orNull = (value: string | null | undefined, old: string | null) => (value === undefined ? old : value?.replace(/\s+/g, ' ') || null)
  const phone_raw = orNull(change.phone, before.phone_raw ?? before.phone)
  return {
    name: text(change.name, before.name),
    attention: orNull(change.attention, before.attention),
    company: orNull(change.company, before.company),
    address1: text(change.address1, before.address1),
    address2: orNull(change.address2, before.address2),
    postcode: change.postcode === undefined ? before.postcode : postcodeOf(change.postcode, before.country),
    city: text(change.city, before.city),
    region: orNull(change.region, before.region),
    country: before.country,
    phone: change.phone === undefined ? before.phone : phoneOf(phone_raw, before.country),
    phone_raw: change.phone === undefined ? before.phone_raw : phone_raw,
    email: orNull(change.email, before.email),
    instruction: orNull(change.instruction, before.instruction),
    door_code: orNull(change.door_code, before.door_code),
  }
}

/**
 * Sends an order that `takeOrder` took to another parcel shop of its courier; the event informs the recipient. `automatic`: while its label
 * is made, when the order may be packed already. Undefined where it cannot be changed any more.
 */
export async function changeParcelShop(
  tools: Tools,
  order: OrderFacts,
  shop: ChosenShop,
  { automatic = false }: { automatic?: boolean } = {},
): Promise<ChangedOrder | undefined> {
  const { db, notify } = tools
  const row = await db.selectFrom('orders').select('service_point').where('id', '=', order.id).executeTakeFirst()
  const before = StoredShop.parse(row?.service_point ?? null)
  const changed = await editOrder(tools, order.id, {
    from: automatic ? [...changeable, 'packed'] : changeable,
    content: { service_point: JSON.stringify({ carrier: null, ...shop }) },
    clears_label_error: true,
    event: {
      kind: 'order.parcel_shop_changed',
      data: { before: before && parcelShopLine(before), after: parcelShopLine(shop), automatic },
    },
  })
  if (changed && order.work_state === 'in_pack') notifyWorkers(notify, order)
  return changed
}
