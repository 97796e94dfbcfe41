/** The sentences of the timeline: what each kind of event, scan, print and parcel state says to a reader. */
import type { EventKind } from '#contract/events.ts'
import { isKeyOf, isRecord } from '#domain/objects.ts'
import { eventLabels } from './event-labels.rules.ts'
import type { TimelineEntry, TimelineKind } from './orders.schemas.ts'

type EntryText = Pick<TimelineEntry, 'kind' | 'text' | 'values' | 'good' | 'changes'>
type Data = Record<string, unknown>

interface Saying {
  kind: TimelineKind
  text: string
  good?: TimelineEntry['good']
}

/** Events by their kind. A place in a sentence is a field of the event's data. */
const eventSayings = {
  'order.imported': { kind: 'order', text: 'The order came in' },
  'order.changed': { kind: 'order', text: 'The shop changed the order' },
  'order.released': { kind: 'order', text: 'Released: it may be picked and packed' },
  'order.cancelled': { kind: 'order', text: 'Cancelled', good: 'wrong' },
  'order.lines_cancelled': { kind: 'order', text: 'Lines were cancelled', good: 'attention' },
  'order.put_back': { kind: 'order', text: 'The goods were put back' },
  'order.reopened': { kind: 'order', text: 'Reopened: the parcel was unpacked', good: 'attention' },
  'order.closed': { kind: 'order', text: 'Closed' },
  'order.handed_over': { kind: 'order', text: 'Handed over to the courier', good: 'ok' },
  'order.method_chosen': { kind: 'order', text: 'The shipping method was chosen again' },
  'order.address_changed': { kind: 'order', text: 'The shipping address was changed to {{address}}' },
  'order.parcel_shop_changed': { kind: 'order', text: 'Parcel shop changed to {{after}}', good: 'attention' },
  'order.shipping_set': { kind: 'order', text: 'Shipping method changed to {{method}}' },
  'order.ship_by_changed': { kind: 'order', text: 'Ship-by date changed' },
  'order.late': { kind: 'order', text: 'Late: not ready at its time' },
  'order.pinned': { kind: 'order', text: 'Pinned' },
  'order.unpinned': { kind: 'order', text: 'Unpinned' },
  'order.tagged': { kind: 'order', text: 'Tags changed: {{tags}}' },
  'order.weight_set': { kind: 'order', text: 'The weight was set to {{grams}} g' },
  'order.tariff_set': { kind: 'order', text: 'The tariff code of {{name}} was set to {{tariff}}' },
  'order.origin_set': { kind: 'order', text: 'The origin of {{name}} was set to {{country}}' },
  'order.customs_set': { kind: 'order', text: 'Reason and terms for customs changed' },
  'order.on_pick_list': { kind: 'order', text: 'Put on pick list {{list}}: wagon {{wagon}}, slot {{slot}}' },
  'order.picked': { kind: 'order', text: 'Picked: list {{list}}, wagon {{wagon}}, slot {{slot}}', good: 'ok' },
  'order.taken_off_list': { kind: 'order', text: 'Taken off pick list {{list}}: wagon {{wagon}}, slot {{slot}}', good: 'attention' },
  'order.commented': { kind: 'comment', text: 'Comment: {{comment}}' },
  'order.status_history': { kind: 'comment', text: 'To the shop: {{status}} {{comment}}' },
  'order.items_edited': { kind: 'order', text: 'Items changed: {{summary}}', good: 'attention' },
  'order.split': { kind: 'order', text: 'A part goes as order {{order_no}}', good: 'attention' },
  'order.part_made': { kind: 'order', text: 'A part of order {{order_no}}' },
  'order.split_undone': { kind: 'order', text: 'Part {{order_no}} was put back into the order' },
  'order.combined': { kind: 'order', text: 'In one parcel with order {{order_nos}}', good: 'attention' },
  'order.combined_into': { kind: 'order', text: 'Combined into order {{order_no}}: both go in one parcel', good: 'attention' },
  'order.combination_undone': { kind: 'order', text: 'No longer in one parcel with order {{order_no}}' },
  'order.copied': { kind: 'order', text: 'Replaced by order {{order_no}}: {{reason}}', good: 'attention' },
  'order.copy_made': { kind: 'order', text: 'Replaces order {{order_no}}: {{reason}}' },
  'order.held': { kind: 'stop', text: 'On hold: {{note}}', good: 'attention' },
  'order.hold_released': { kind: 'stop', text: 'Hold released: {{note}}' },
  'order.locked': { kind: 'stop', text: 'Locked: {{note}}', good: 'attention' },
  'order.unlocked': { kind: 'stop', text: 'Unlocked' },
  'order.packed': { kind: 'packing', text: 'Packed', good: 'ok' },
  'order.packed_in_part': { kind: 'packing', text: 'Partially packed', good: 'attention' },
  'order.partially_shipped': {
    kind: 'packing',
    text: 'Missing items: {{follows}} follow, {{cancelled}} cancelled, {{held}} on hold',
    good: 'attention',
  },
  'order.tote_bound': { kind: 'order', text: 'Put into tote {{code}}' },
  'order.tote_freed': { kind: 'order', text: 'Out of tote {{codes}}' },
  'order.tote_lost': { kind: 'order', text: 'Tote {{code}} was reported lost', good: 'attention' },
  'order.tote_found': { kind: 'order', text: 'Tote {{code}} was found' },
  'order.short': { kind: 'order', text: 'Missing: {{quantity}} × {{name}} in {{bin}}', good: 'attention' },
  'order.short_taken_back': { kind: 'order', text: 'Not missing after all: {{name}}' },
  'order.short_wait': { kind: 'order', text: '{{name}} is missing: the order waits' },
  'order.short_ship_partial': { kind: 'order', text: '{{name}} is missing: the order goes without it' },
  'order.short_ask_customer': { kind: 'order', text: '{{name}} is missing: waiting for the customer', good: 'attention' },
  'order.short_cancel_line': { kind: 'order', text: '{{name}} is missing: {{quantity}} were cancelled', good: 'attention' },
  'order.short_found': { kind: 'order', text: '{{name}} is there after all' },
  'order.piece_put_back': { kind: 'order', text: 'Put back: {{quantity}} × {{name}} into {{bin}}' },
  'packing.started': { kind: 'packing', text: 'Packing started' },
  'packing.resumed': { kind: 'packing', text: 'Packing went on' },
  'packing.approved': { kind: 'packing', text: 'Approved by {{approver}}', good: 'attention' },
  'addition.planned': { kind: 'order', text: 'Added by a rule: {{qty}} × {{name}}' },
  'addition.blocked': { kind: 'order', text: 'Not added: {{name}} has no HS code and value for customs', good: 'attention' },
  'addition.released': { kind: 'order', text: 'No longer added: {{qty}} × {{name}}' },
  'addition.packed': { kind: 'packing', text: 'Packed as well: {{qty}} × {{name}}', good: 'ok' },
  'addition.skipped': { kind: 'packing', text: 'Packed without {{name}}', good: 'attention' },
  'alert.hit': { kind: 'order', text: 'Order alert for {{recipient}}: {{note}}', good: 'attention' },
  'alert.decided': { kind: 'order', text: 'Order alert checked: {{note}}', good: 'ok' },
  'approval.asked': { kind: 'packing', text: 'Approval asked for: {{rule}}', good: 'attention' },
  'approval.approved': { kind: 'packing', text: '{{rule}}: approved by {{approver}}', good: 'ok' },
  'approval.refused': { kind: 'packing', text: '{{rule}}: refused by {{approver}}', good: 'wrong' },
  'packing.taken_over': { kind: 'packing', text: 'Packing was taken over', good: 'attention' },
  'packing.parked': { kind: 'packing', text: 'Moved to exceptions: {{reason}}', good: 'attention' },
  'exception.opened': { kind: 'packing', text: 'Waits in exceptions', good: 'attention' },
  'exception.assigned': { kind: 'packing', text: 'Exception assigned to {{owner}}' },
  'exception.noted': { kind: 'packing', text: 'Note on the exception: {{note}}' },
  'exception.retried': { kind: 'packing', text: 'The refused label is tried again' },
  'exception.overdue': { kind: 'packing', text: 'The exception is overdue', good: 'wrong' },
  'exception.resolved': { kind: 'packing', text: 'Exception resolved', good: 'ok' },
  'video.requested': { kind: 'packing', text: 'Packing video started' },
  'video.available': { kind: 'packing', text: 'Packing video is ready' },
  'video.failed': { kind: 'packing', text: 'Packing video failed', good: 'attention' },
  'video.viewed': { kind: 'packing', text: 'Packing video viewed' },
  'video.held': { kind: 'packing', text: 'Packing video kept until {{until}}: {{reason}}', good: 'attention' },
  'video.hold_released': { kind: 'packing', text: 'Packing video no longer held' },
  'video.shared': { kind: 'packing', text: 'Packing video shared', good: 'attention' },
  'video.share_revoked': { kind: 'packing', text: 'Shared link of the packing video revoked' },
  'video.deleted': { kind: 'packing', text: 'Packing video deleted' },
  'photo.taken': { kind: 'packing', text: 'Photo of parcel {{parcel_no}} taken' },
  'photo.skipped': { kind: 'packing', text: 'Parcel {{parcel_no}} was closed without a photo: the camera gave none', good: 'attention' },
  'photo.deleted': { kind: 'packing', text: 'Photo of parcel {{parcel_no}} deleted' },
  'photo.removed': { kind: 'packing', text: 'Photo of parcel {{parcel_no}} deleted: {{reason}}', good: 'attention' },
  'photo.held': { kind: 'packing', text: 'Photo of parcel {{parcel_no}} kept until {{until}}: {{reason}}', good: 'attention' },
  'photo.hold_released': { kind: 'packing', text: 'Photo of parcel {{parcel_no}} no longer held' },
  'packing.aborted': { kind: 'packing', text: 'Packing was stopped', good: 'attention' },
  'crate.used': { kind: 'packing', text: 'Parcel {{parcel_no}} was packed into {{name}}' },
  'packing.next_parcel': { kind: 'packing', text: 'Parcel {{parcel_no}} was started' },
  'weight.overridden': {
    kind: 'packing',
    text: 'Parcel {{parcel_no}}: {{weight_g}} g instead of {{expected_g}} g, taken by {{by}}',
    good: 'attention',
  },
  'parcel.unpacked': { kind: 'packing', text: 'Parcel {{parcel_no}} was unpacked', good: 'attention' },
  'packing.bypassed': { kind: 'packing', text: 'Packed without scanning: {{reason}}', good: 'attention' },
  'product.barcode_linked': { kind: 'packing', text: 'The barcode {{barcode}} was linked to {{name}}' },
  'serial.added': { kind: 'packing', text: 'Serial number {{serial}} was added to {{name}}' },
  'serial.removed': { kind: 'packing', text: 'Serial number {{serial}} of {{name}} was unpacked', good: 'attention' },
  'label.checked': { kind: 'label', text: 'The label was checked against the order', good: 'ok' },
  'label.mixed_up': { kind: 'label', text: 'Wrong label: it belongs to order {{belongs_to}}', good: 'wrong' },
  'label.failed': { kind: 'label', text: 'The label failed: {{error}}', good: 'wrong' },
  'label.unknown': { kind: 'label', text: 'Whether the courier booked the label is not known', good: 'wrong' },
  'label.stopped': { kind: 'label', text: 'The label was stopped', good: 'attention' },
  'shipment.booked': { kind: 'label', text: 'The label was booked: {{tracking_no}}', good: 'ok' },
  'shipment.cancelled': { kind: 'label', text: 'The label was cancelled', good: 'attention' },
  'shipment.blocked': { kind: 'label', text: 'The label was blocked: it must not go out', good: 'attention' },
  'shipment.blocked_scanned': { kind: 'label', text: 'The cancelled label was scanned at a station', good: 'wrong' },
  'shipment.handed_over': { kind: 'parcel', text: 'The parcel was handed over', good: 'ok' },
  'shipment.scanned_out': { kind: 'parcel', text: 'Scanned out in cage {{cage}} with collect list {{list}}', good: 'ok' },
  'shipment.scan_undone': { kind: 'parcel', text: 'The scan onto collect list {{list}} was taken back', good: 'attention' },
  'shipment.taken_out': { kind: 'parcel', text: 'Taken out of the cage: it must not go with collect list {{list}}', good: 'attention' },
  'shipment.not_found': { kind: 'parcel', text: 'Not found when collect list {{list}} was closed', good: 'wrong' },
  'shipment.damaged': { kind: 'parcel', text: 'Damaged when collect list {{list}} was closed', good: 'wrong' },
  'shipment.left_for_next': { kind: 'parcel', text: 'Collect list {{list}} left it for the next pickup', good: 'attention' },
  'shipment.collected': { kind: 'parcel', text: 'Collect list {{list}}: {{driver}} took the parcel from cage {{cage}}', good: 'ok' },
  'shipment.hand_over_undone': { kind: 'parcel', text: 'Collect list {{list}} was reopened: {{note}}', good: 'attention' },
  'shipment.needs_attention': {
    kind: 'parcel',
    text: 'The courier has not scanned parcel {{parcel_no}} within 24 working hours',
    good: 'wrong',
  },
  'order.hand_over_undone': { kind: 'order', text: 'The hand-over was taken back', good: 'attention' },
  'shipment.in_transit': { kind: 'parcel', text: 'The parcel is on its way', good: 'ok' },
  'shipment.out_for_delivery': { kind: 'parcel', text: 'The parcel is out for delivery', good: 'ok' },
  'shipment.ready_for_pickup': { kind: 'parcel', text: 'The parcel waits in the parcel shop', good: 'ok' },
  'shipment.returning': { kind: 'parcel', text: 'The parcel is coming back', good: 'attention' },
  'shipment.returned_to_sender': { kind: 'parcel', text: 'The parcel came back', good: 'attention' },
  'shipment.problem_reported': { kind: 'parcel', text: 'The courier reports a problem with the parcel', good: 'wrong' },
  'shipment.problem_ended': { kind: 'parcel', text: 'The courier reports no problem any more', good: 'ok' },
  'shipment.lost': { kind: 'parcel', text: 'The parcel is lost', good: 'wrong' },
  'shipment_exception.opened': { kind: 'parcel', text: 'The parcel waits in shipment exceptions', good: 'attention' },
  'shipment_exception.assigned': { kind: 'parcel', text: 'Shipment exception assigned to {{owner}}' },
  'shipment_exception.planned': { kind: 'parcel', text: 'Next step: {{next_step}}' },
  'shipment_exception.noted': { kind: 'parcel', text: 'Note on the shipment exception: {{note}}' },
  'shipment_exception.resolved': { kind: 'parcel', text: 'Shipment exception resolved', good: 'ok' },
  'pickup.ordered': { kind: 'parcel', text: 'The pickup is ordered', good: 'ok' },
  'pickup.unknown': { kind: 'parcel', text: 'Not confirmed', good: 'attention' },
  'pickup.refused': { kind: 'parcel', text: 'Refused', good: 'attention' },
  'pickup.cancelled': { kind: 'parcel', text: 'The pickup is cancelled' },
  'claim.opened': { kind: 'parcel', text: 'Claim opened', good: 'attention' },
  'claim.changed': { kind: 'parcel', text: 'Claim changed' },
  'claim.state_set': { kind: 'parcel', text: 'Claim: new status' },
  'shipment.delivered': { kind: 'parcel', text: 'The parcel was delivered', good: 'ok' },
  'return.requested': { kind: 'order', text: 'Return {{rma_no}} was requested: {{items}} items', good: 'attention' },
  'return.withdrawn': { kind: 'order', text: 'The customer withdrew from the contract: return {{rma_no}}', good: 'attention' },
  'return.approved': { kind: 'order', text: 'Return {{rma_no}} was approved' },
  'return.rejected': { kind: 'order', text: 'Return {{rma_no}} was rejected: {{reason}}', good: 'attention' },
  'return.cancelled': { kind: 'order', text: 'Return {{rma_no}} was cancelled' },
  'return.expired': { kind: 'order', text: 'Return {{rma_no}} ended: nothing was sent' },
  'return.ends_soon': { kind: 'order', text: 'Return {{rma_no}} ends soon unless it is sent' },
  'return.exchange_made': { kind: 'order', text: 'Return {{rma_no}}: exchange order {{order_no}}' },
  'return.label_renewed': { kind: 'parcel', text: 'Return {{rma_no}}: the customer asked for a new label' },
  'return.method_set': { kind: 'parcel', text: 'Return {{rma_no}}: the customer labels the parcel' },
  'return.in_transit': { kind: 'parcel', text: 'Return {{rma_no}} is on its way' },
  'return.arrived': { kind: 'parcel', text: 'Return {{rma_no}} arrived', good: 'ok' },
  'return.linked': { kind: 'order', text: 'Return {{rma_no}} was linked to order {{order_no}}' },
  'return.item_inspected': { kind: 'order', text: 'Return {{rma_no}}: {{name}} was inspected, condition {{condition}}' },
  'return.item_missing': { kind: 'order', text: 'Return {{rma_no}}: {{name}} is missing', good: 'attention' },
  'return.item_added': { kind: 'order', text: 'Return {{rma_no}}: {{name}} came without notice', good: 'attention' },
  'return.item_undone': { kind: 'order', text: 'Return {{rma_no}}: the inspection of {{name}} was undone' },
  'return.serial_accepted': {
    kind: 'order',
    text: 'Return {{rma_no}}: {{name}} was accepted with another serial number',
    good: 'attention',
  },
  'return.decided': { kind: 'order', text: 'Return {{rma_no}}: items were decided' },
  'return.refund_proposed': { kind: 'order', text: 'Return {{rma_no}}: refund {{no}} was proposed to the shop' },
  'return.refund_confirmed': { kind: 'order', text: 'Return {{rma_no}}: the shop confirmed refund {{no}}', good: 'ok' },
  'return.refund_denied': { kind: 'order', text: 'Return {{rma_no}}: refund {{no}} was denied: {{reason}}', good: 'attention' },
  'return.refund_in_doubt': { kind: 'order', text: 'Return {{rma_no}}: whether refund {{no}} was paid is not known', good: 'wrong' },
  'return.resolved': { kind: 'order', text: 'Return {{rma_no}} is resolved', good: 'ok' },
  'return.reopened': { kind: 'order', text: 'Return {{rma_no}} was reopened: {{reason}}', good: 'attention' },
} satisfies Partial<Record<EventKind, Saying>>

/** Every kind of event has a sentence of its own or a label: a new kind without one does not compile. */
const eventTexts: Readonly<Record<EventKind, Saying | string>> = { ...eventLabels, ...eventSayings }

const scanSayings: Record<string, Saying> = {
  ok: { kind: 'packing', text: 'Scanned {{quantity}} × {{name}}', good: 'ok' },
  wrong: { kind: 'packing', text: 'Wrong item: {{raw}}', good: 'wrong' },
  over: { kind: 'packing', text: 'Too many: {{raw}}', good: 'wrong' },
  unknown: { kind: 'packing', text: 'Unknown barcode: {{raw}}', good: 'wrong' },
  ambiguous: { kind: 'packing', text: 'The code {{raw}} meant several products', good: 'attention' },
  serial_needed: { kind: 'packing', text: 'Asked for the serial number of {{name}}' },
  serial_of_pack: { kind: 'packing', text: 'Asked for the serial numbers of a pack of {{name}}' },
  parts_shown: { kind: 'packing', text: 'Scanned a bundle, which has parts: {{raw}}', good: 'attention' },
  serial_refused: { kind: 'packing', text: 'Serial number refused: {{raw}}', good: 'wrong' },
  blocked_label: { kind: 'packing', text: 'Cancelled label: {{raw}}', good: 'wrong' },
  undone: { kind: 'packing', text: 'Scan undone: {{name}}', good: 'attention' },
  serial: { kind: 'packing', text: 'Scanned {{name}} with serial number {{serial}}', good: 'ok' },
  bypass: { kind: 'packing', text: 'Let pass without a scan: {{quantity}} × {{name}}', good: 'attention' },
  manual: { kind: 'packing', text: 'Counted by hand: {{quantity}} × {{name}}' },
  other: { kind: 'packing', text: 'Scanned {{raw}}' },
}

const printSayings: Record<string, Saying> = {
  queued: { kind: 'print', text: '{{title}} waits for {{printer}}' },
  sending: { kind: 'print', text: '{{title}} waits for {{printer}}' },
  sent: { kind: 'print', text: '{{title}} was sent to {{printer}}' },
  accepted: { kind: 'print', text: '{{title}} was printed on {{printer}}', good: 'ok' },
  done: { kind: 'print', text: '{{title}} was printed on {{printer}}', good: 'ok' },
  failed: { kind: 'print', text: '{{title}} failed on {{printer}}: {{error}}', good: 'wrong' },
  expired: { kind: 'print', text: '{{title}} was not printed in time', good: 'wrong' },
  cancelled: { kind: 'print', text: '{{title}} was not printed: it was cancelled', good: 'attention' },
}

const parcelSayings: Record<string, Saying> = {
  booked: { kind: 'parcel', text: 'Parcel {{parcel_no}}: registered with the courier' },
  handed_over: { kind: 'parcel', text: 'Parcel {{parcel_no}}: handed over to the courier', good: 'ok' },
  in_transit: { kind: 'parcel', text: 'Parcel {{parcel_no}}: in transit' },
  out_for_delivery: { kind: 'parcel', text: 'Parcel {{parcel_no}}: out for delivery' },
  ready_for_pickup: { kind: 'parcel', text: 'Parcel {{parcel_no}}: ready for collection' },
  delivered: { kind: 'parcel', text: 'Parcel {{parcel_no}}: delivered', good: 'ok' },
  delivery_failed: { kind: 'parcel', text: 'Parcel {{parcel_no}}: could not be delivered', good: 'wrong' },
  needs_attention: { kind: 'parcel', text: 'Parcel {{parcel_no}}: needs attention', good: 'attention' },
  returning: { kind: 'parcel', text: 'Parcel {{parcel_no}}: returning', good: 'attention' },
  returned_to_sender: { kind: 'parcel', text: 'Parcel {{parcel_no}}: returned to sender', good: 'attention' },
  lost: { kind: 'parcel', text: 'Parcel {{parcel_no}}: lost', good: 'wrong' },
  cancelled: { kind: 'parcel', text: 'Parcel {{parcel_no}}: cancelled', good: 'attention' },
  blocked: { kind: 'parcel', text: 'Parcel {{parcel_no}}: must not go out', good: 'attention' },
}
const answerSayings: Record<string, Saying> = {
  ship_partially: { kind: 'order', text: 'The customer answered: ship what is ready', good: 'attention' },
  wait: { kind: 'order', text: 'The customer answered: wait', good: 'attention' },
  cancel_line: { kind: 'order', text: 'The customer answered: cancel what is missing', good: 'attention' },
  new_address: { kind: 'order', text: 'The customer entered a new address', good: 'attention' },
  other_shop: { kind: 'order', text: 'The customer chose another parcel shop', good: 'attention' },
}
/** What was decided about the missing items of an exception. */
const decidedSayings: Record<string, Saying> = {
  refill: { kind: 'packing', text: 'Exception resolved: the missing items are picked again', good: 'ok' },
  ship_partial: { kind: 'packing', text: 'Exception resolved: the missing items follow later', good: 'ok' },
  cancel_lines: { kind: 'packing', text: 'Exception resolved: the missing items are cancelled', good: 'attention' },
  retry_label: { kind: 'packing', text: 'Exception resolved: the label came at another try', good: 'ok' },
  corrected_and_retried: { kind: 'packing', text: 'Exception resolved: corrected, and the label came', good: 'ok' },
}
const shipBySetByHand: Saying = { kind: 'order', text: 'Ship-by date changed: {{reason}}' }
const unknownParcel: Saying = { kind: 'parcel', text: 'Parcel {{parcel_no}}: {{text}}' }

export function asEntry(source: 'event' | 'scan' | 'print' | 'parcel', kind: string, data: Data): EntryText {
  if (source === 'event')
    return {
      ...entryOf(eventSaying(kind, data), data),
      changes: changesOf(kind, data),
    }
  if (source === 'print') return entryOf(printSayings[kind] ?? printSayings.queued!, data)
  if (source === 'parcel') return entryOf(parcelSayings[kind] ?? unknownParcel, data)
  return entryOf(scanSaying(kind, data), data)
}

function eventSaying(kind: string, data: Data): Saying {
  if (kind === 'order.ship_by_changed' && data.reason) return shipBySetByHand
  const answer = kind === 'link.answered' ? answerSayings[String(data.choice)] : undefined
  if (answer) return answer
  const decided = kind === 'exception.resolved' ? decidedSayings[String(data.resolution)] : undefined
  if (decided) return decided
  const text = isKeyOf(eventTexts, kind) ? eventTexts[kind] : kind
  return typeof text === 'string' ? { kind: groupOf(kind), text } : text
}

function scanSaying(result: string, data: Data): Saying {
  if (data.undone === true) return scanSayings.undone!
  if (data.method === 'bypass') return scanSayings.bypass!
  const counted = typeof data.quantity === 'number' && data.quantity > 0
  if (counted && data.method === 'manual') return scanSayings.manual!
  if (counted && typeof data.serial === 'string' && data.serial !== '') return scanSayings.serial!
  if (counted) return scanSayings.ok!
  return scanSayings[result] ?? scanSayings.other!
}

/** Fills every place of the sentence; what is not known leaves a dash, never a hole. */
function entryOf({ kind, text, good }: Saying, data: Data): EntryText {
  const values: Record<string, string | number> = {}
  for (const [, name] of text.matchAll(/\{\{(\w+)\}\}/g)) {
    const value = data[name!] ?? (name === 'note' ? data.reason : undefined)
    values[name!] =
      typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? value : Array.isArray(value) ? value.join(', ') : '–'
  }
  return { kind, text, values, good: good ?? null, changes: [] }
}

/** The field that an event changes, and where its data has the value afterwards; `before` has the value that stood there. */
const changedField: Readonly<Record<string, { field: string; after: string }>> = {
  'order.shipping_set': { field: 'method', after: 'method' },
  'order.ship_by_changed': { field: 'ship_by', after: 'ship_by' },
  'order.weight_set': { field: 'weight_g', after: 'grams' },
  'order.tariff_set': { field: 'hs_code', after: 'tariff' },
  'order.origin_set': { field: 'origin', after: 'country' },
}

/** What stood there before, and what stands there after it. Events of earlier versions do not know what stood there. */
function changesOf(kind: string, data: Data): TimelineEntry['changes'] {
  const written = (value: unknown) => (typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : null)
  const changes: TimelineEntry['changes'] = []
  const one = changedField[kind]
  if (one && data.before !== undefined) changes.push({ field: one.field, before: written(data.before), after: written(data[one.after]) })
  const { before, after } = data
  if (isRecord(before) && isRecord(after))
    for (const field of Object.keys(after)) changes.push({ field, before: written(before[field]), after: written(after[field]) })
  if (typeof data.from === 'string' && typeof data.to === 'string' && kind.startsWith('order.'))
    changes.push({ field: 'phase', before: data.from, after: data.to })
  return changes
}

const groupOf = (kind: string): TimelineKind => {
  const [noun] = kind.split('.')
  return noun === 'order' || noun === 'packing' || noun === 'label' || noun === 'print' ? noun : noun === 'shipment' ? 'parcel' : 'other'
}

/** Prints have rows of their own in the timeline. */
const shownElsewhere = /^print\./

/** Which rows of the four sources belong to these groups: none asked means all. */
export function kindsOf(kinds: readonly TimelineKind[]): { eventPattern: string; scans: boolean; prints: boolean; parcels: boolean } {
  const wants = (kind: TimelineKind) => kinds.length === 0 || kinds.includes(kind)
  const known = Object.entries(eventSayings).filter(([kind, saying]) => !shownElsewhere.test(kind) && wants(saying.kind))
  const exact = known.map(([kind]) => kind.replace('.', '\\.')).join('|')
  const eventPattern =
    kinds.length === 0
      ? '^(?!print\\.)'
      : kinds.includes('other')
        ? `^(${exact}|(?!order|packing|label|print|shipment)[a-z_]+\\..*)$`
        : `^(${exact})$`
  return { eventPattern, scans: wants('packing'), prints: wants('print'), parcels: wants('parcel') }
}
