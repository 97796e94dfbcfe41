/** The kinds of events that leave the product: their public names, the object that they belong to, and the facts that go with them. */
import type { EventData, EventKind } from '#contract/events.ts'
import { keysOf } from '#domain/objects.ts'

export const objectTypes = [
  'order',
  'shipment',
  'user',
  'alert',
  'invoice',
  'bulk_config',
  'return',
  'printer_alert',
  'deadline_alarm',
  'outgoing_webhook',
  'product',
  'pick_list',
  'collect_list',
  'exception',
  'shipment_exception',
  'video',
  'import',
  'customer',
  'serial_unit',
  'serial',
  'claim',
  'print_job',
  'deadline',
  'message',
] as const
type ObjectType = (typeof objectTypes)[number]

interface PublicEvent<K extends EventKind> {
  /** The public name, `object.verb`. */
  type: `${ObjectType}.${string}`
  /** Fields of the event's data that are sent. None of them is personal data or text that a person wrote. */
  fields: readonly (keyof EventData<K> & string)[]
}

const moved = ['from', 'to'] as const

/** What is not listed stays inside: users, sessions, settings, and single steps of the work in the warehouse. */
export const publicEvents = {
  'order.imported': { type: 'order.created', fields: ['source', 'items'] },
  'order.changed': { type: 'order.updated', fields: [...moved, 'source', 'changed_fields'] },
  'order.released': { type: 'order.released', fields: moved },
  'order.held': { type: 'order.held', fields: [...moved, 'reason'] },
  'order.hold_released': { type: 'order.hold_released', fields: [...moved, 'reason'] },
  'order.locked': { type: 'order.locked', fields: [...moved, 'until'] },
  'order.unlocked': { type: 'order.unlocked', fields: moved },
  'order.cancelled': { type: 'order.cancelled', fields: [...moved, 'put_back_due'] },
  'order.lines_cancelled': { type: 'order.lines_cancelled', fields: [...moved, 'pieces'] },
  'order.on_pick_list': { type: 'order.picking', fields: moved },
  'order.picked': { type: 'order.picked', fields: moved },
  'order.short': { type: 'order.short', fields: [...moved, 'quantity'] },
  'order.packed': { type: 'order.packed', fields: moved },
  'order.packed_in_part': { type: 'order.partially_packed', fields: [...moved, 'rest'] },
  'order.partially_shipped': {
    type: 'order.partially_shipped',
    fields: ['follows', 'cancelled', 'held', 'lines', 'expected_on', 'notify_recipient'],
  },
  'order.reopened': { type: 'order.reopened', fields: moved },
  'order.handed_over': { type: 'order.handed_over', fields: moved },
  'order.hand_over_undone': { type: 'order.hand_over_undone', fields: moved },
  'order.delivered': { type: 'order.delivered', fields: moved },
  'order.closed': { type: 'order.closed', fields: moved },
  'order.status_history': {
    type: 'order.status_history',
    fields: ['history_id', 'status', 'visible_to_customer', 'notify_customer'],
  },
  'order.items_edited': { type: 'order.items_edited', fields: moved },
  'order.ship_by_changed': { type: 'order.ship_by_changed', fields: ['ship_by', 'source'] },
  'order.late': { type: 'order.late', fields: ['due_at'] },
  'order.address_changed': { type: 'order.address_changed', fields: ['link_id'] },
  'order.parcel_shop_changed': { type: 'order.parcel_shop_changed', fields: ['link_id'] },
  'order.split': { type: 'order.split', fields: [...moved, 'order_no'] },
  'order.split_undone': { type: 'order.split_undone', fields: [...moved, 'order_no'] },
  'order.tagged': { type: 'order.tagged', fields: [] },
  'packing.started': { type: 'order.packing', fields: [] },
  'packing.next_parcel': { type: 'order.parcel_closed', fields: ['closed_no'] },
  'order.commented': { type: 'order.commented', fields: ['type'] },
  'shipment.booked': { type: 'shipment.booked', fields: ['tracking_no', 'parcel_no'] },
  'shipment.settled': { type: 'shipment.settled', fields: ['booked', 'tracking_no'] },
  'label.failed': { type: 'shipment.label_failed', fields: ['kind'] },
  'shipment.blocked': { type: 'shipment.blocked', fields: ['tracking_no'] },
  'shipment.cancelled': { type: 'shipment.cancelled', fields: ['tracking_no'] },
  'shipment.handed_over': { type: 'shipment.handed_over', fields: [] },
  'shipment.in_transit': { type: 'shipment.in_transit', fields: [] },
  'shipment.out_for_delivery': { type: 'shipment.out_for_delivery', fields: [] },
  'shipment.ready_for_pickup': { type: 'shipment.ready_for_pickup', fields: [] },
  'shipment.returning': { type: 'shipment.returning', fields: [] },
  'shipment.returned_to_sender': { type: 'shipment.returned_to_sender', fields: [] },
  'shipment.problem_reported': { type: 'shipment.problem_reported', fields: ['reason'] },
  'shipment.lost': { type: 'shipment.lost', fields: [] },
  'shipment.delivered': { type: 'shipment.delivered', fields: [] },
  'shipment.delivery_failed': { type: 'shipment.delivery_failed', fields: [] },
  'shipment.needs_attention': { type: 'shipment.needs_attention', fields: ['tracking_no', 'parcel_no'] },
  'shipment.hand_over_undone': { type: 'shipment.hand_over_undone', fields: [] },
  'parcel.unpacked': { type: 'shipment.unpacked', fields: ['parcel_no', 'pieces'] },
  'return.requested': { type: 'return.requested', fields: ['rma_no', 'source', 'items', 'withdrawal', 'status'] },
  'return.withdrawn': { type: 'return.withdrawn', fields: ['rma_no', 'items'] },
  'return.approved': { type: 'return.approved', fields: ['rma_no'] },
  'return.rejected': { type: 'return.rejected', fields: ['rma_no'] },
  'return.cancelled': { type: 'return.cancelled', fields: ['rma_no'] },
  'return.expired': { type: 'return.expired', fields: ['rma_no'] },
  'return.in_transit': { type: 'return.in_transit', fields: ['rma_no'] },
  'return.arrived': { type: 'return.arrived', fields: ['rma_no'] },
  'return.linked': { type: 'return.linked', fields: ['rma_no', 'order_no'] },
  'return.item_inspected': { type: 'return.item_inspected', fields: ['rma_no', 'item_id', 'condition', 'serial_check'] },
  'return.item_missing': { type: 'return.item_missing', fields: ['rma_no', 'item_id'] },
  'return.item_added': { type: 'return.item_added', fields: ['rma_no', 'item_id'] },
  'return.decided': { type: 'return.decided', fields: ['rma_no', 'pieces'] },
  'return.refund_proposed': { type: 'return.refund_proposed', fields: ['rma_no', 'no', 'total', 'currency'] },
  'return.refund_confirmed': { type: 'return.refund_confirmed', fields: ['rma_no', 'no', 'total', 'currency', 'paid'] },
  'return.refund_denied': { type: 'return.refund_denied', fields: ['rma_no', 'no', 'total', 'currency'] },
  'return.exchange_made': { type: 'return.exchange_created', fields: ['rma_no', 'order_no', 'items'] },
  'return.resolved': { type: 'return.resolved', fields: ['rma_no'] },
  'return.reopened': { type: 'return.reopened', fields: ['rma_no'] },
  'product.created': { type: 'product.created', fields: ['sku'] },
  'product.changed': { type: 'product.changed', fields: ['sku', 'changed_fields'] },
  'pick_list.created': { type: 'pick_list.created', fields: ['orders', 'wagons'] },
  'pick_list.picked': { type: 'pick_list.picked', fields: [] },
  'pick_list.completed': { type: 'pick_list.completed', fields: [] },
  'pick_list.cancelled': { type: 'pick_list.cancelled', fields: ['orders'] },
  'collect_list.closed': { type: 'collect_list.closed', fields: ['scanned', 'missing'] },
  'collect_list.handed_over': { type: 'collect_list.handed_over', fields: ['parcels'] },
  'collect_list.reopened': { type: 'collect_list.reopened', fields: [] },
  'exception.opened': { type: 'exception.opened', fields: ['exception'] },
  'exception.assigned': { type: 'exception.assigned', fields: ['exception'] },
  'exception.overdue': { type: 'exception.overdue', fields: ['exception', 'due_at'] },
  'exception.resolved': { type: 'exception.resolved', fields: ['exception', 'resolution'] },
  'shipment_exception.opened': { type: 'shipment_exception.opened', fields: ['exception'] },
  'shipment_exception.assigned': { type: 'shipment_exception.assigned', fields: ['exception'] },
  'shipment_exception.resolved': { type: 'shipment_exception.resolved', fields: ['exception', 'resolution'] },
  'video.available': { type: 'video.available', fields: ['station', 'part_no', 'seconds'] },
  'import.finished': { type: 'import.finished', fields: [] },
  'import.undone': { type: 'import.undone', fields: ['removed'] },
  'invoice.frozen': { type: 'invoice.frozen', fields: ['invoice_no', 'parcels'] },
  'invoice.handed_over': { type: 'invoice.handed_over', fields: ['invoice_no'] },
  'invoice.blocked': { type: 'invoice.blocked', fields: ['invoice_no'] },
  'invoice.credited': { type: 'invoice.credited', fields: ['invoice_no', 'credit_no'] },
  'customer.created': { type: 'customer.created', fields: [] },
  'customer.changed': { type: 'customer.changed', fields: ['fields'] },
  'customer.merged': { type: 'customer.merged', fields: ['member_id'] },
  'customer.merge_undone': { type: 'customer.merge_undone', fields: ['member_id'] },
  'customer.erased': { type: 'customer.erased', fields: [] },
  'message.queued': { type: 'message.queued', fields: ['channel', 'trigger'] },
  'message.sent': { type: 'message.sent', fields: ['channel'] },
  'message.delivered': { type: 'message.delivered', fields: ['channel'] },
  'message.failed': { type: 'message.failed', fields: ['channel', 'reason'] },
  'message.received': { type: 'message.received', fields: ['channel', 'stops'] },
  'deadline.alarm': { type: 'deadline.alarm', fields: ['stage', 'due_at', 'missed'] },
  'print.failed': { type: 'print_job.failed', fields: ['document', 'printer'] },
  'print.unknown': { type: 'print_job.unknown', fields: ['document', 'printer'] },
  'serial.added': { type: 'serial.added', fields: [] },
  'serial.removed': { type: 'serial.removed', fields: [] },
  'serial.returned': { type: 'serial.returned', fields: ['returned'] },
  'serial_unit.marked': { type: 'serial_unit.marked', fields: ['as'] },
  'serial_unit.recalled': { type: 'serial_unit.recalled', fields: ['sku'] },
  'claim.opened': { type: 'claim.opened', fields: ['claim'] },
  'claim.changed': { type: 'claim.changed', fields: ['claim'] },
  'claim.state_set': { type: 'claim.state_set', fields: ['claim', 'state'] },
  'outgoing_webhook.paused': { type: 'outgoing_webhook.paused', fields: ['gone'] },
} as const satisfies { readonly [K in EventKind]?: PublicEvent<K> }

type PublicKind = keyof typeof publicEvents
const publicKinds = keysOf(publicEvents)
export type PublicType = (typeof publicEvents)[PublicKind]['type']
/** All events of an object, also those that later versions add: `order.*`. */
export type EventsOfObject = `${string}.*`

export const publicTypes: readonly PublicType[] = publicKinds.map(kind => publicEvents[kind].type)

/** Events that are delivered as mails of the company. Webhooks cannot ask for them. */
const mailEvents = {
  'user.password_link_made': { type: 'user.password_link', fields: ['link_id', 'purpose'] },
  'user.new_device': { type: 'user.new_device', fields: ['session_id'] },
  'user.second_factors_reset': { type: 'user.second_factors_reset', fields: [] },
  'announcement.reminded': { type: 'user.announcement_reminder', fields: ['announcement_id'] },
  'video.hold_notice_due': { type: 'user.held_clip', fields: ['video_id', 'video_company_id'] },
  'punch.reminder_due': { type: 'user.clock_out_missing', fields: ['punch_id'] },
  'punch.lead_reminder_due': { type: 'user.clock_outs_missing', fields: ['work_date'] },
  'shift.published': { type: 'user.shifts_published', fields: ['from', 'to'] },
  'invoice.mail_due': { type: 'invoice.mail', fields: ['delivery_id'] },
  'bulk_config.sample_due': { type: 'bulk_config.sample', fields: ['position'] },
  'return_portal.mail_due': { type: 'return.mail', fields: ['mail'] },
  'printer_alert.mail_due': { type: 'printer_alert.mail', fields: ['outage_id', 'place', 'ended'] },
  'deadline_alarm.mail_due': { type: 'deadline_alarm.mail', fields: ['alarm_id', 'day', 'place'] },
  'outgoing_webhook.mail_due': { type: 'outgoing_webhook.mail', fields: ['user_id', 'gone'] },
  'alert.mail_due': { type: 'alert.mail', fields: ['at', 'companies'] },
} as const satisfies { readonly [K in EventKind]?: PublicEvent<K> }
export type MailType = (typeof mailEvents)[keyof typeof mailEvents]['type']
export const mailTypes: readonly MailType[] = Object.values(mailEvents).map(({ type }) => type)

/** Occasions of messages to recipients that no one else asks for. */
const messageEvents = {
  'order.short_ask_customer': { type: 'order.question', fields: [] },
  'return.ends_soon': { type: 'return.reminder', fields: ['rma_no'] },
} as const satisfies { readonly [K in EventKind]?: PublicEvent<K> }
type MessageType = (typeof messageEvents)[keyof typeof messageEvents]['type']

/** Everything that the outbox takes. */
export const outboxEvents = { ...publicEvents, ...mailEvents, ...messageEvents }
export type OutboxType = PublicType | MailType | MessageType
export const outboxKinds = keysOf(outboxEvents)

/** The object of an event: the part of its name before the dot. */
export const objectTypeOf = (type: OutboxType): ObjectType => objectTypes.find(one => type.startsWith(`${one}.`)) ?? 'order'
