/** The body of an outgoing webhook, its examples, and what it says about a change. */
import * as z from 'zod'
import { type PublicType, publicEvents, publicTypes } from '#features/deliveries/outbox/public-events.rules.ts'

/** The form of the body. A new one is sent beside this one for six months before this one ends. */
export const apiVersion = '2026-11'
/** Characters of a body; a larger one goes without its object. */
export const mostBody = 1_000_000

const Change = z.union([z.tuple([z.unknown(), z.unknown()]), z.literal(true)])

/** The body of each event; `data` is the object of its type. */
export const WebhookBody = z.object({
  /** The same for every attempt and replay: receivers recognise by it what they have seen. */
  id: z.string(),
  type: z.enum(publicTypes),
  occurred_at: z.string(),
  company: z.string(),
  api_version: z.literal(apiVersion),
  /** `seq` counts the events of the object without a gap. */
  object: z.object({ type: z.string(), id: z.number().int(), seq: z.number().int() }),
  /** Fields that the event changed: their values before and after, or only true where they may be about a person. */
  changed: z.record(z.string(), Change),
  /** What else the event says. */
  facts: z.record(z.string(), z.unknown()),
  /** The object as it is when the event is sent; null once its person was erased, or where the body would exceed a megabyte. */
  data: z.unknown().nullable(),
  erased: z.boolean(),
  /** Set by the test button alone. */
  test: z.boolean(),
})
export type WebhookBody = z.infer<typeof WebhookBody>

/** Fields that an event of this type changes, where the event names none. */
const alwaysChanged: Partial<Record<string, readonly string[]>> = {
  'order.address_changed': ['ship_to'],
  'order.parcel_shop_changed': ['service_point'],
  'order.ship_by_changed': ['ship_by'],
  'order.items_edited': ['lines'],
  'order.lines_cancelled': ['lines'],
}

const Payload = z.record(z.string(), z.unknown())
const Names = z.array(z.string()).catch([])
const Fields = z.record(z.string(), Change).catch({})

/** Tells apart what changed and what else an event says. The status before and after is a change of the field `phase` of orders. */
export function changesOf(type: string, payload: unknown): Pick<WebhookBody, 'changed' | 'facts'> {
  const { from, to, changed_fields, fields, ...facts } = Payload.catch({}).parse(payload)
  const named = [...(alwaysChanged[type] ?? []), ...Names.parse(fields)]
  const always = Object.fromEntries(named.map(field => [field, true as const]))
  const changed: WebhookBody['changed'] = { ...always, ...Fields.parse(changed_fields ?? {}) }
  if (from !== undefined || to !== undefined) changed.phase = [from ?? null, to ?? null]
  return { changed, facts }
}

/** What each event says, for readers of the API documentation. */
export const eventMeanings: Readonly<Record<PublicType, { summary: string }>> = {
  'order.created': { summary: 'An order came in.' },
  'order.updated': { summary: 'The shop sent the order with other content.' },
  'order.released': { summary: 'The order may be picked and packed.' },
  'order.held': { summary: 'The order is on hold.' },
  'order.hold_released': { summary: 'A hold of the order ended.' },
  'order.locked': { summary: 'The order is locked by a person.' },
  'order.unlocked': { summary: 'A lock of the order ended.' },
  'order.cancelled': { summary: 'The order was cancelled.' },
  'order.lines_cancelled': { summary: 'Items of the order were cancelled.' },
  'order.picking': { summary: 'The order is on a pick list.' },
  'order.picked': { summary: 'All items of the order are picked.' },
  'order.short': { summary: 'An item of the order is missing in its bin.' },
  'order.packed': { summary: 'All parcels of the order are packed.' },
  'order.partially_packed': { summary: 'A parcel of the order is packed; items are left.' },
  'order.partially_shipped': { summary: 'The order goes without some items: they follow, are cancelled or wait.' },
  'order.reopened': { summary: 'A packed order was unpacked.' },
  'order.handed_over': { summary: 'The courier has the parcels of the order.' },
  'order.hand_over_undone': { summary: 'The hand-over was taken back: the parcels of the order are here.' },
  'order.delivered': { summary: 'All parcels of the order are delivered.' },
  'order.closed': { summary: 'The order is closed.' },
  'order.status_history': { summary: 'A line of the status history was written to the shop.' },
  'order.items_edited': { summary: 'A person changed the items of the order.' },
  'order.ship_by_changed': { summary: 'The ship-by date of the order moved.' },
  'order.late': { summary: 'The order is not ready at its pickup or ship-by time. A later time that passes is said again.' },
  'order.address_changed': { summary: 'The shipping address of the order was changed here.' },
  'order.parcel_shop_changed': { summary: 'The parcel shop of the order was changed.' },
  'order.split': { summary: 'A part of the order goes as an order of its own.' },
  'order.split_undone': { summary: 'A part was put back into the order.' },
  'order.commented': { summary: 'A comment was written; its text is not sent.' },
  'order.tagged': { summary: 'The tags of the order changed.' },
  'order.packing': { summary: 'Somebody began to pack the order.' },
  'order.parcel_closed': { summary: 'A parcel of the order is closed, and the next one begins; the last one closes with order.packed.' },
  'shipment.booked': { summary: 'The courier has booked the parcel and its label is there.' },
  'shipment.settled': { summary: 'A booking whose outcome was unknown is decided.' },
  'shipment.label_failed': { summary: 'The courier refused the label.' },
  'shipment.blocked': { summary: 'The label must not be used.' },
  'shipment.cancelled': { summary: 'The label was cancelled.' },
  'shipment.handed_over': { summary: 'The parcel was handed over.' },
  'shipment.in_transit': { summary: 'The parcel is on its way.' },
  'shipment.out_for_delivery': { summary: 'The parcel is out for delivery.' },
  'shipment.ready_for_pickup': { summary: 'The parcel waits at the parcel shop.' },
  'shipment.returning': { summary: 'The parcel is on its way back.' },
  'shipment.returned_to_sender': { summary: 'The parcel came back.' },
  'shipment.problem_reported': { summary: 'The courier reports a problem with the parcel.' },
  'shipment.lost': { summary: 'The parcel is lost.' },
  'shipment.delivered': { summary: 'The parcel is delivered.' },
  'shipment.delivery_failed': { summary: 'A delivery failed.' },
  'shipment.needs_attention': { summary: 'A person must look at the parcel.' },
  'shipment.hand_over_undone': { summary: 'The hand-over of the parcel was taken back: it is here.' },
  'shipment.unpacked': { summary: 'The parcel was unpacked again.' },
  'return.requested': { summary: 'A return was asked for.' },
  'return.withdrawn': { summary: 'The customer withdrew from the purchase.' },
  'return.approved': { summary: 'The return is approved.' },
  'return.rejected': { summary: 'The return is rejected.' },
  'return.cancelled': { summary: 'The return is cancelled.' },
  'return.expired': { summary: 'The return did not arrive in time.' },
  'return.in_transit': { summary: 'The return is on its way.' },
  'return.arrived': { summary: 'The return arrived.' },
  'return.linked': { summary: 'A return without an order was given one.' },
  'return.item_inspected': { summary: 'A piece of the return was inspected.' },
  'return.item_missing': { summary: 'A piece of the return was not in the parcel.' },
  'return.item_added': { summary: 'A piece that no one announced was in the parcel.' },
  'return.decided': { summary: 'It is decided what is done with each piece.' },
  'return.refund_proposed': { summary: 'A refund is proposed to the shop.' },
  'return.refund_confirmed': { summary: 'The shop paid a refund.' },
  'return.refund_denied': { summary: 'The shop denied a refund.' },
  'return.exchange_created': { summary: 'An order with the replacement was made.' },
  'return.resolved': { summary: 'The return is done.' },
  'return.reopened': { summary: 'The return was opened again.' },
  'product.created': { summary: 'A product was made here.' },
  'product.changed': { summary: 'A product was changed here; an import changes products without events of their own.' },
  'pick_list.created': { summary: 'A pick list was made.' },
  'pick_list.picked': { summary: 'All wagons of the pick list are picked.' },
  'pick_list.completed': { summary: 'All orders of the pick list are packed.' },
  'pick_list.cancelled': { summary: 'The pick list was cancelled.' },
  'collect_list.closed': { summary: 'All parcels of the collect list are scanned out, or are missing.' },
  'collect_list.handed_over': { summary: 'The courier took the parcels of the collect list.' },
  'collect_list.reopened': { summary: 'A hand-over of the collect list was taken back.' },
  'exception.opened': { summary: 'An order that cannot be packed waits for a person.' },
  'exception.assigned': { summary: 'A person took care of the exception, or gave it back.' },
  'exception.overdue': { summary: 'The exception is not resolved in time.' },
  'exception.resolved': { summary: 'The exception is resolved.' },
  'shipment_exception.opened': { summary: 'A parcel on its way needs a person.' },
  'shipment_exception.assigned': { summary: 'A person took care of the parcel, or gave it back.' },
  'shipment_exception.resolved': { summary: 'The exception of the parcel is resolved.' },
  'video.available': { summary: 'The video of a packed parcel can be watched.' },
  'import.finished': { summary: 'A file of orders is read.' },
  'import.undone': { summary: 'The orders of a file were removed again.' },
  'invoice.frozen': { summary: 'A trade invoice has its number and changes no more.' },
  'invoice.handed_over': { summary: 'All parcels of the invoice are handed over.' },
  'invoice.blocked': { summary: 'The invoice no longer agrees with its parcels.' },
  'invoice.credited': { summary: 'The invoice was credited.' },
  'customer.created': { summary: 'A customer was made here.' },
  'customer.changed': { summary: 'A customer was changed here.' },
  'customer.merged': { summary: 'Another customer was merged into this one.' },
  'customer.merge_undone': { summary: 'A merged customer is apart again.' },
  'customer.erased': { summary: 'The personal data of the customer was erased; erase it on your side too.' },
  'message.queued': { summary: 'A message to a recipient waits to be sent; its words are not sent here.' },
  'message.sent': { summary: 'A message was sent.' },
  'message.delivered': { summary: 'The gateway reports that the message arrived.' },
  'message.failed': { summary: 'A message could not be sent.' },
  'message.received': { summary: 'A recipient answered; the words are not sent.' },
  'deadline.alarm': { summary: 'Parcels are forecast to miss a pickup, or have missed it.' },
  'print_job.failed': { summary: 'A document could not be printed.' },
  'print_job.unknown': { summary: 'It is not known whether a document was printed.' },
  'serial.added': { summary: 'A serial number was added to a packed order by hand.' },
  'serial.removed': { summary: 'A serial number is no longer part of an order: its piece was unpacked.' },
  'serial.returned': { summary: 'A serial number came back with its piece; `returned` is false where the desk takes that back.' },
  'serial_unit.marked': { summary: 'A person marked a serial number as in stock, recalled or removed.' },
  'serial_unit.recalled': { summary: 'A serial number is held back by a recall of its product.' },
  'claim.opened': { summary: 'A claim against the courier was opened.' },
  'claim.changed': { summary: 'A claim was changed.' },
  'claim.state_set': { summary: 'A claim was sent, won, lost or opened again.' },
  'outgoing_webhook.paused': { summary: 'A webhook is paused: its receiver did not answer for three days, or wants no more.' },
}

type Field = (typeof publicEvents)[keyof typeof publicEvents]['fields'][number]

/** A value of each fact, for the examples of the catalogue. */
const exampleFacts: Readonly<Record<Field, unknown>> = {
  from: 'in_pack',
  to: 'packed',
  source: 'api',
  items: 2,
  returned: true,
  changed_fields: { total_incl_vat: [15_000, 18_000], 'ship_to.address1': true, lines: true },
  reason: 'address',
  until: '2026-11-21T08:00:00.000Z',
  put_back_due: false,
  pieces: 1,
  quantity: 1,
  rest: 1,
  follows: 1,
  cancelled: 0,
  held: 0,
  lines: 1,
  expected_on: '2026-11-27',
  notify_recipient: true,
  history_id: 311,
  status: 'delayed',
  visible_to_customer: true,
  notify_customer: false,
  ship_by: '2026-11-21T15:00:00.000Z',
  order_no: '1001',
  type: 'praise',
  tracking_no: '00370730254812345678',
  parcel_no: 1,
  booked: true,
  kind: 'address',
  rma_no: 'R-10021',
  withdrawal: false,
  item_id: 77,
  condition: 'a',
  serial_check: 'none',
  no: 1,
  total: 12_000,
  currency: 'DKK',
  paid: 12_000,
  link_id: 12,
  sku: 'MUG-BLUE',
  as: 'recalled',
  orders: 24,
  wagons: 2,
  scanned: 2,
  missing: 0,
  missed: 4,
  parcels: 2,
  exception: 'damaged',
  due_at: '2026-11-20T14:00:00.000Z',
  resolution: 'solved',
  station: 'station-2',
  part_no: 1,
  seconds: 94,
  removed: 398,
  closed_no: 1,
  invoice_no: 'NO-2026-0042',
  credit_no: 'NO-2026-0043',
  fields: ['name', 'lookups'],
  member_id: 3_188,
  channel: 'sms',
  trigger: 'handed_over',
  stops: false,
  stage: 'soon',
  document: 'label',
  printer: 'Zebra 1',
  claim: 'damage',
  state: 'sent',
  gone: false,
}

/** One kind of object: its example, and the name of its schema in the API documentation. */
interface ExampleObject {
  id: number
  data: object
}

export function exampleBody(type: PublicType, company: string, objects: Readonly<Record<string, ExampleObject>>): WebhookBody {
  const event = Object.values(publicEvents).find(one => one.type === type)
  const payload = Object.fromEntries((event?.fields ?? []).map(field => [field, exampleFacts[field]]))
  const object = type.split('.')[0] ?? ''
  return {
    id: 'evt_1048576',
    type,
    occurred_at: '2026-11-20T10:00:00.000Z',
    company,
    api_version: apiVersion,
    object: { type: object, id: objects[object]?.id ?? 1, seq: 7 },
    ...changesOf(type, payload),
    data: objects[object]?.data ?? null,
    erased: false,
    test: false,
  }
}
