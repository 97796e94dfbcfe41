/** Every kind of event with its data. A kind is `noun.verb` in the past tense. */

/** Passes the type of an event's data to the compiler; the list itself holds only names. */
const data = <T extends object = Empty>(): { data?: T } => ({})

type Empty = Record<never, never>
/** The order's phase before and after, where the change moved it. */
interface Moved {
  from?: string
  to?: string
}
interface Lock {
  lock: string
  reason: string | null
  note: string
}
interface Slot {
  list: number
  wagon: number | undefined
  slot: number | undefined
}
interface ToteCode {
  code: string
  list: number | null
  wagon: number | null
  slot: number | null
}
interface Addition {
  name: string
  qty: number
  reason?: string
}
interface Quantity {
  quantity: number
  name: string
}
interface ShortDecision extends Quantity {
  note: string
  rule: boolean
  list: number | null
}
interface Missing {
  list: string
  cage: string
  tracking_no: string | null
}
interface PrintStep {
  title: string
  document: string
  printer: string
  error?: string
}
interface BulkConfig {
  agent_code: string
  country: string
}
interface Cage {
  agent_code: string
  name: string
}
interface MethodRuleData {
  name: string
  agent_code: string
  shipping_method: string
  active: boolean
  conditions: object
}
interface VoidedLabel {
  tracking_no: string | null
  cancelled?: boolean
  cancelled_at_carrier?: boolean
  refunded?: boolean
}
interface Rma {
  rma_no: string
}
/** A piece of a return. */
interface Piece {
  item_id: number
  name: string
}
interface Refund {
  no: number
  /** Minor units. */
  total: number
  currency: string
}
interface ShopSecret {
  source: string
  shop: string
}
interface GroupMember {
  name: string
  group_id: number
  user_name: string
}
interface PayTerms {
  name: string
  valid_from: string
  salary_type: string
}
interface WorkingTimeRuleData {
  country: string
  rule: string
  valid_from: string
  minutes: number
  reason: string
  before?: number
}
interface PayPeriodData {
  from: string
  to: string
}
interface PunchData {
  user_id: number
  work_date: string
}
interface ShiftOfferData {
  offer_id: number
  offer: string
}
interface Place {
  place: string | null
}

interface PortalLanguage {
  shop: string
  language: string
}

export const eventKinds = {
  'session.begun': data<{ ip: string; way: string }>(),
  'company.founded': data(),
  'company.created': data<{ code: string; name: string }>(),
  'company.changed': data(),
  'company.closed': data<{ code: string; days: number }>(),
  'company.limits_set': data<{
    code: string
    users: number | null
    webhooks: number | null
    imports: number | null
    requests?: number | null
    storage?: number | null
  }>(),
  'company.reopened': data<{ code: string }>(),
  'company.erased': data<{ code: string; rows: number }>(),
  'company.export_asked': data<{ code: string }>(),
  'company.exported': data<{ code: string; rows: number; files: number }>(),
  'company.export_fetched': data<{ code: string }>(),
  'cache.emptied': data<{ name: string | null; entries: number }>(),
  'operator_default.set': data<{ name: string; companies: number }>(),
  'user.created': data<{ name: string; permission: readonly string[]; device?: boolean }>(),
  'user.changed': data<{
    name?: string
    fields?: readonly string[]
    password?: string
    given?: readonly string[]
    taken?: readonly string[]
  }>(),
  /** The link itself is in no event. */
  'user.password_link_made': data<{ link_id: number; purpose: string }>(),
  'user.removed': data<{ name: string }>(),
  'user.session_ended': data<{ session_id: number }>(),
  'user.totp_set': data(),
  'user.totp_removed': data(),
  'user.recovery_codes_made': data(),
  'user.recovery_code_used': data(),
  'user.passkey_added': data(),
  'user.passkey_removed': data(),
  'user.identity_linked': data<{ issuer: string }>(),
  'user.identity_unlinked': data<{ issuer: string }>(),
  'sign_in_provider.set': data<{ issuer: string; active: boolean }>(),
  'sign_in_provider.removed': data(),
  'user.second_factor_failed': data<{ ip: string }>(),
  'user.second_factors_reset': data<{ name: string }>(),
  'user.new_device': data<{ session_id: number }>(),
  'user.pin_set': data<{ name: string }>(),
  'user.pin_removed': data<{ name: string }>(),
  'user.badge_made': data<{ name: string }>(),
  'user.badge_revoked': data<{ name: string }>(),
  'user.approval_refused': data(),
  'user.sessions_ended': data<{ ended: number }>(),
  'group.created': data<{ name: string }>(),
  'group.renamed': data<{ name: string; before: string }>(),
  'group.permission_changed': data<{ name: string; given: readonly string[]; taken: readonly string[]; members: number }>(),
  'group.member_added': data<GroupMember & { given: readonly string[] }>(),
  'group.member_removed': data<GroupMember & { taken: readonly string[] }>(),
  'group.removed': data<{ name: string; members: number; taken: readonly string[] }>(),
  'group.restored': data<{ name: string; members: number; given: readonly string[] }>(),
  'return_portal.enabled': data<PortalLanguage>(),
  'return_portal.disabled': data<PortalLanguage>(),
  'return_portal.texts_set': data<PortalLanguage>(),
  'return_portal.image_set': data<PortalLanguage>(),
  'return_portal.offer_set': data<{ outcomes: readonly string[]; methods: readonly string[] }>(),
  /** A customer is written to about a return. */
  'return_portal.mail_due': data<{ mail: string }>(),
  /** What was done with a campaign: saved, published, paused, ended, removed, or its picture. */
  'campaign.changed': data<{ title: string; change: string }>(),
  /** Titles and texts of announcements are in no event: an erasure finds them in their own tables. */
  'announcement.saved': data(),
  'announcement.published': data<{ version_no: number }>(),
  'announcement.withdrawn': data(),
  'announcement.removed': data(),
  'announcement.agreed': data<{ version_no: number; user_id: number; user_name: string }>(),
  /** One for each person who is reminded. */
  'announcement.reminded': data<{ announcement_id: number }>(),
  /** A social security number was read; why is in the access log. */
  'personal.revealed': data<{ name: string }>(),
  /** A member of the staff was erased; who it was is no part of it. */
  'personal.erased': data(),
  'personal.changed': data<{ name: string; fields: readonly string[] }>(),
  /** A plan, which only leads see. */
  'shift.changed': data<{ change_id: string; count: number }>(),
  /** One for each person whom a publication concerns. */
  'shift.published': data<{ from: string; to: string; reason?: string }>(),
  'shift_offer.made': data<ShiftOfferData>(),
  'shift_offer.accepted': data<ShiftOfferData>(),
  'shift_offer.refused': data<ShiftOfferData>(),
  /** The kind of leave and the words beside it are in no event: both are health data. */
  'leave.requested': data<{ entry_id: number }>(),
  'leave.registered': data<{ entry_id: number }>(),
  'leave.moved': data<{ entry_id: number }>(),
  'leave.approved': data<{ entry_id: number }>(),
  'leave.rejected': data<{ entry_id: number }>(),
  'leave.withdrawn': data<{ entry_id: number }>(),
  'leave.cancel_requested': data<{ entry_id: number }>(),
  'leave.cancelled': data<{ entry_id: number }>(),
  'leave.seen': data<{ entry_id: number }>(),
  'leave.account_adjusted': data<{ days_milli: number; account: string }>(),
  'calendar.link_made': data(),
  'calendar.link_revoked': data(),
  'working_time.rule_set': data<WorkingTimeRuleData>(),
  'working_time.rule_removed': data<WorkingTimeRuleData>(),
  /** Rules and settings of pay; what a person is paid is in no event. */
  'pay.rule_changed': data<{ name: string; change: string }>(),
  'pay.settings_changed': data(),
  'pay.period_added': data<PayPeriodData>(),
  'pay.period_removed': data<PayPeriodData>(),
  'pay.exported': data<PayPeriodData & { rows: number; format: string; passed?: string }>(),
  'pay.reopened': data<PayPeriodData & { reason: string }>(),
  'pay.terms_changed': data<PayTerms>(),
  'pay.terms_withdrawn': data<PayTerms>(),
  'api_key.set': data<{ name: string }>(),
  'api_key.removed': data<{ name: string }>(),
  'cms_key.created': data<{ name: string; shop: string }>(),
  'cms_key.removed': data(),
  'cms_key.changed': data<{ name: string }>(),
  'cms_key.rotated': data<{ name: string; keep_hours: number }>(),
  'webhook.secret_set': data<ShopSecret & { keep_old_hours: number }>(),
  'webhook.secret_ended': data<ShopSecret>(),
  'webhook.secret_removed': data<ShopSecret>(),
  'webhook.refused': data<ShopSecret & { problems: readonly object[] }>(),
  'webhook.privacy': data<ShopSecret & { topic: string; external_ids: readonly string[]; order_ids: readonly number[] }>(),
  /** `fields` names what changed and holds nothing of it. */
  'customer.created': data<{ fields: readonly string[] }>(),
  'customer.changed': data<{ fields: readonly string[] }>(),
  'customer.noted': data<{ type: string }>(),
  'customer.note_removed': data<{ type: string }>(),
  'customer.merged': data<{ merge_id: number; member_id: number }>(),
  'customer.merge_undone': data<{ merge_id: number; member_id: number }>(),
  /** `rows` counts what was changed or deleted, in all tables together. */
  'customer.erased': data<{ erasure_id: number; orders: number; rows: number }>(),
  /** A customer asked what is stored: the report of the erasure counts it. */
  'customer.data_counted': data<{ erasure_id: number; orders: number; rows: number }>(),
  'outgoing_webhook.created': data<{ name: string; events: readonly string[]; shop?: string | null; header_name?: string | null }>(),
  'outgoing_webhook.changed': data<{ name: string; events: readonly string[]; shop?: string | null; header_name?: string | null }>(),
  'outgoing_webhook.removed': data<{ dropped: number }>(),
  'outgoing_webhook.secret_rotated': data<{ keep_hours: number }>(),
  'outgoing_webhook.resumed': data<{ waiting: number }>(),
  'outgoing_webhook.replayed': data<{ count: number }>(),
  /** Nothing was delivered for three days, or the receiver answered 410. */
  'outgoing_webhook.paused': data<{ gone: boolean }>(),
  /** One for each person who is mailed about the pause. */
  'outgoing_webhook.mail_due': data<{ user_id: number; gone: boolean }>(),
  'shop_connection.created': data<{ system: string; shop: string; name: string }>(),
  'shop_connection.changed': data<{ name: string; keys_replaced: boolean }>(),
  'shop_connection.paused': data(),
  'shop_connection.resumed': data(),
  /** The shop refuses the key, or another program answers. */
  'shop_connection.broken': data(),
  'shop_connection.push_retried': data<{ order_no: string | null }>(),
  'shop_connection.push_dropped': data<{ order_no: string | null; reason: string }>(),
  'shop_connection.removed': data<{ shop: string; dropped: number }>(),
  'mail_account.set': data<{ host: string; from_address: string }>(),
  'mail_account.removed': data(),
  'sms_account.set': data<{ provider: string; sender: string }>(),
  'sms_account.removed': data(),
  'message_template.set': data<{ name: string; trigger: string; channel: string; locale: string; active: boolean }>(),
  'message_template.removed': data<{ name: string }>(),
  /** A recipient answered the question of a message by its link; `until` where the order waits for a day. */
  'link.answered': data<{ choice: string; until: string | null }>(),
  'link.revoked': data(),
  'message_settings.set': data(),
  'message.queued': data<{ channel: string; trigger: string }>(),
  'message.sent': data<{ channel: string }>(),
  'message.delivered': data<{ channel: string }>(),
  'message.failed': data<{ channel: string; reason: string }>(),
  /** `stops`: the recipient wants no more messages. */
  'message.received': data<{ channel: string; stops: boolean }>(),
  'job.cancel_asked': data(),

  'product.created': data<{ sku: string }>(),
  'product.changed': data<{
    sku: string
    changed: readonly { field: string; from: unknown; to: unknown }[]
    /** The same for programs outside. */
    changed_fields?: Readonly<Record<string, readonly [from: unknown, to: unknown] | true>>
  }>(),
  'product.imported': data<{ updated: readonly string[] }>(),
  'product.picture_set': data(),
  'product.picture_removed': data(),
  'product.barcode_linked': data<{ barcode: string; name: string }>(),

  'print.queued': data<{ title: string; document: string; printer: string; copy_no: number }>(),
  'print.accepted': data<PrintStep>(),
  'print.sent': data<PrintStep>(),
  'print.done': data<PrintStep>(),
  'print.received': data<PrintStep>(),
  'print.waits': data<PrintStep>(),
  'print.delayed': data<PrintStep>(),
  'print.moved': data<PrintStep>(),
  'print.failed': data<PrintStep>(),
  'print.retried': data<PrintStep>(),
  'print.stopped': data<PrintStep>(),
  'print.expired': data<PrintStep>(),
  'print.cancelled': data<PrintStep>(),
  'print.unknown': data<PrintStep>(),
  'print_agent.added': data<{ name: string }>(),
  'print_agent.removed': data<{ name: string }>(),
  'print_agent.commanded': data<{ name: string; action: string; printer: string | null }>(),
  'printer_alert.set': data<{ enabled: boolean }>(),
  'printer_alert.mail_due': data<{ outage_id: number | null; place: number; ended: boolean }>(),
  'printer.added': data<{ name: string; address: string }>(),
  'printer.removed': data<{ name: string }>(),
  'printer.changed': data<{ name: string }>(),
  'printer.proved': data<{ print_job_id: number; code: string }>(),
  'station.scanner_set': data<{ name: string }>(),
  'station.printers_set': data<{ name: string; printers: object }>(),
  'self_test.set': data<{ station: string; at: string; days: number[]; asks: boolean }>(),
  'self_test.removed': data(),
  'self_test.printed': data<{ station: string; code: string }>(),
  'self_test.proved': data<{ code: string }>(),
  'self_test.skipped': data<{ code: string }>(),

  'import.started': data<{ file: string; shop: string }>(),
  'import.finished': data(),
  'import.undone': data<{ removed: number }>(),
  'order.imported': data<{ source: string; items: number; shop?: string }>(),
  /** Not recorded, only for subscribers: the order came in and may be picked and packed at once. Runs only where additional products are offered. */
  'order.ready': data(),
  /** Not recorded, only for subscribers: the order came in. Runs only where alerts are set. */
  'order.arrived': data(),
  /** The shop sends the order with other content. */
  'order.changed': data<
    Moved & {
      source: string
      changed: readonly { field: string; from: unknown; to: unknown }[]
      /** The same without what may be about a person: there only the name of the field. */
      changed_fields?: Readonly<Record<string, readonly [from: unknown, to: unknown] | true>>
    }
  >(),
  /** Not recorded, only for subscribers: the lines of an order are about to become these, and have become so. */
  'order.lines_changing': data<{ lines: readonly { external_id: string; qty: number }[] }>(),
  'order.lines_changed': data(),
  'order.released': data<Moved>(),
  'order.held': data<Moved & { reason: string | null } & Partial<Lock & { until: string | null; by: string }>>(),
  'order.hold_released': data<Moved & Lock>(),
  'order.locked': data<Moved & Lock & { until: string | null }>(),
  'order.unlocked': data<Moved & Lock>(),
  'order.cancelled': data<Moved & { note?: string; by?: string; put_back_due?: boolean }>(),
  'order.lines_cancelled': data<Moved & { pieces: number; name?: string }>(),
  'order.put_back': data<Moved>(),
  'order.reopened': data<Moved & { unpack: boolean }>(),
  'order.closed': data<Moved>(),
  'order.pinned': data(),
  'order.tagged': data<{ tags: string }>(),
  'order.unpinned': data(),
  'order.commented': data<{ type: string; comment: string }>(),
  'order.status_history': data<{
    history_id: number
    status: string
    comment: string
    visible_to_customer: boolean
    notify_customer: boolean
  }>(),
  /** `summary` says it for people: `Cap 2 → 1, Mug + 1`. */
  'order.items_edited': data<Moved & { summary: string; reason: string }>(),
  'order.split': data<Moved & { order_no: string }>(),
  'order.part_made': data<Moved & { order_no: string }>(),
  'order.split_undone': data<Moved & { order_no: string }>(),
  /** The order carries the parcel of these. */
  'order.combined': data<Moved & { order_nos: string }>(),
  'order.combined_into': data<Moved & { order_no: string }>(),
  'order.combination_undone': data<Moved & { order_no: string }>(),
  'order.copied': data<{ order_no: string; reason: string }>(),
  'order.copy_made': data<{ order_no: string; reason: string }>(),
  /** Another parcel shop of the same courier. */
  'order.address_changed': data<
    Moved & {
      address: string
      before: Record<string, string | null>
      after: Record<string, string | null>
      /** The recipient changed it by this link, and gets its confirmation. */
      link_id?: number
    }
  >(),
  'order.late': data<{ due_at: string }>(),
  'order.ship_by_changed': data<Moved & { before: string | null; ship_by: string | null; source: string; reason?: string }>(),
  'order.parcel_shop_changed': data<Moved & { before: string | null; after: string; automatic: boolean; link_id?: number }>(),
  'order.shipping_set': data<Moved & { method: string; before: string | null; agent_code: string; shipping_method: string }>(),
  'order.weight_set': data<Moved & { before: number | null; grams: number; name?: string }>(),
  'order.tariff_set': data<Moved & { name: string; before: string | null; tariff: string }>(),
  'order.origin_set': data<Moved & { name: string; before: string | null; country: string }>(),

  /** A rule chose another method after the order changed; `rule` is its place, null where the shop's code decided. */
  'order.method_chosen': data<Moved & { agent_code: string; shipping_method: string; rule: number | null }>(),

  'crate_type.set': data<{ name: string; code: string; active: boolean }>(),
  'crate_type.picture_set': data(),
  'crate_type.picture_removed': data(),
  'crate_type.removed': data<{ name: string; code: string }>(),
  'crate.used': data<{ parcel_no: number; name: string; suggested: string | null }>(),
  'predefined_address.set': data<{ kind: string }>(),
  'predefined_address.removed': data<{ kind: string }>(),
  'product_link.set': data<{ title: string }>(),
  'product_link.removed': data<{ title: string }>(),
  'bulk.started': data<{ action: string; asked: number }>(),
  'bulk.finished': data<{ action: string; done: number; refused: number }>(),
  'bulk.undone': data<{ action: string; done: number; refused: number }>(),
  'export.started': data<{ format: string }>(),
  'export.finished': data<{ format: string; orders: number }>(),
  'tag.set': data<{ name: string; color: string }>(),
  'tag.merged': data<{ tag_id: number; name: string; into: string }>(),
  'tag.removed': data<{ name: string }>(),
  'tag_rule.set': data<{ tag: string; active: boolean }>(),
  'tag_rule.removed': data<{ tag: string }>(),
  'product.tagged': data<{ tags: string }>(),
  'customer.tagged': data<{ tags: string }>(),
  'crate_basket.decided': data<{ state: string; name: string | null }>(),
  'crate_rule.set': data<{ sku: string; kind: string; crate_type_id: number | null }>(),
  'crate_rule.removed': data<{ sku: string; kind: string }>(),
  'courier_price.set': data<{
    agent_code: string
    shipping_method: string
    max_g: number
    amount: number
    currency: string
    valid_from: string
  }>(),
  'courier_price.removed': data<{ agent_code: string; shipping_method: string; max_g: number }>(),
  'courier_price.imported': data<{ added: number; replaced: number; ended: number }>(),
  'price_zone.set': data<{ name: string; countries: readonly string[] }>(),
  'price_zone.removed': data<{ name: string }>(),
  'price_surcharge.set': data<{ name: string; agent_code: string; valid_from: string }>(),
  'price_surcharge.removed': data<{ name: string; agent_code: string }>(),
  'method_rule.created': data<MethodRuleData>(),
  'method_rule.changed': data<MethodRuleData>(),
  'method_rule.ordered': data<{ ids: readonly number[] }>(),
  'method_rule.removed': data(),
  'shipping_method.changed': data<{ agent_code: string; method: string }>(),
  'shipping_method.forgotten': data<{ agent_code: string; method: string }>(),
  'courier_events.set': data<{ agent_code: string }>(),
  'courier.methods_changed': data<{ agent_code: string; added: number; removed: number }>(),
  'courier_webhook.removed': data<{ agent_code: string }>(),
  'courier_webhook.renewed': data<{ agent_code: string }>(),
  'parcel_shop_replacement.set': data<{ mode: string }>(),
  'courier.settings_changed': data<{ agent_code: string; fields: readonly string[] }>(),
  'label.asked': data<{ parcel_no: number; operation_code: string; agent_code: string }>(),
  'label.failed': data<{ error: string; field: string | null; kind: string }>(),
  'label.unknown': data(),
  'label.doubled': data<{ tracking_no: string; cancelled_at_carrier: boolean }>(),
  'label.stopped': data<{ reason: string; note: string }>(),
  'label.checked': data(),
  'label.mixed_up': data<{ belongs_to: string }>(),
  'shipment.blocked_scanned': data(),
  /** `stopped`: the order was stopped before the label came, so that it is voided and the parcel is not complete. */
  'shipment.booked': data<{ tracking_no: string; parcel_no: number; stopped?: boolean }>(),
  'shipment.settled': data<{ booked: boolean; tracking_no?: string }>(),
  'shipment.blocked': data<VoidedLabel>(),
  'shipment.cancelled': data<VoidedLabel>(),
  'shipment.handed_over': data<Place>(),
  'shipment.in_transit': data<Place>(),
  'shipment.out_for_delivery': data<Place>(),
  'shipment.ready_for_pickup': data<Place>(),
  'shipment.returning': data<Place>(),
  'shipment.returned_to_sender': data<Place>(),
  /** The courier reports something that somebody has to look into. */
  'shipment.problem_reported': data<Place & { reason: 'customs' | 'delayed' | 'address_problem' | null }>(),
  /** What was reported has ended: the parcel goes on. */
  'shipment.problem_ended': data(),
  'shipment.delivered': data<Place>(),
  'shipment.delivery_failed': data<Place & { reason?: 'customs' | 'delayed' | 'address_problem' | null }>(),
  'shipment.needs_attention': data<{ reason: string; tracking_no: string | null; parcel_no: number }>(),
  'shipment.lost': data(),
  'shipment_exception.opened': data<{ exception: string }>(),
  'shipment_exception.assigned': data<{ exception: string; owner: string | null }>(),
  'shipment_exception.planned': data<{ exception: string; next_step: string; next_at: string | null }>(),
  'shipment_exception.noted': data<{ exception: string; note: string }>(),
  'shipment_exception.resolved': data<{ exception: string; resolution: string; note: string }>(),
  'pickup.ordered': data<{ agent_code: string; day: string }>(),
  'pickup.unknown': data<{ agent_code: string; day: string }>(),
  'pickup.refused': data<{ agent_code: string; day: string }>(),
  'pickup.cancelled': data<{ agent_code: string; day: string }>(),
  'claim.opened': data<{ claim: string }>(),
  'claim.changed': data<{ claim: string }>(),
  'claim_rules.set': data<{ agent_code: string }>(),
  'claim.state_set': data<{ claim: string; state: string }>(),
  'order.handed_over': data<Moved>(),
  'order.delivered': data<Moved>(),

  'warehouse_map.created': data<{ title: string }>(),
  'warehouse_map.changed': data<{ title: string; ways_changed: boolean }>(),
  'warehouse_map.removed': data(),
  'warehouse_map.calc': data<{ map_id: number; title: string }>(),
  'warehouse_map.calc_stopped': data(),
  'warehouse_map.measured': data<{ cells: number }>(),
  'warehouse_map.activated': data<{ before: number | null }>(),
  /** Not recorded, only for subscribers: the result is about to be deleted. */
  'warehouse_map.result_removing': data(),
  'warehouse_map.result_removed': data<{ map_id: number }>(),
  'wagon_type.created': data<{ name: string }>(),
  'wagon_type.changed': data<{ name: string }>(),
  'wagon_type.deleted': data(),
  'pick_list.created': data<{ type: string; orders: number; wagons: number }>(),
  'pick_list.improved': data<{ saved_dm: number; wagons: number }>(),
  'pick_list.open': data(),
  'pick_list.picking': data(),
  'pick_list.picked': data(),
  'pick_list.packing': data(),
  'pick_list.completed': data(),
  'pick_list.cancelled': data<{ note?: string; orders?: number; put_backs?: number }>(),
  'pick_list.codes_released': data<{ wagon: number; codes: readonly string[] }>(),
  'pick_wagon.claimed': data<{ wagon: number; from?: string }>(),
  'pick_wagon.joined': data<{ wagon: number; from?: string }>(),
  'pick_wagon.taken_over': data<{ wagon: number; from?: string }>(),
  'pick_wagon.taken_back': data<{ wagon: number; from: string }>(),
  'pick_wagon.came_back': data<{ wagon: number; from: string | null }>(),
  'order.on_pick_list': data<Moved & Slot>(),
  'order.picked': data<Moved & Slot>(),
  'order.taken_off_list': data<Moved & Slot & { reason: string }>(),
  'order.short': data<Moved & Quantity & { bin: string | null; reason: string; list: number | null }>(),
  'order.short_taken_back': data<Moved & Quantity>(),
  'order.short_wait': data<Moved & ShortDecision>(),
  'order.short_ship_partial': data<Moved & ShortDecision>(),
  'order.short_ask_customer': data<Moved & ShortDecision>(),
  'order.short_cancel_line': data<Moved & ShortDecision>(),
  'order.short_found': data<Moved & ShortDecision>(),
  'order.piece_put_back': data<Quantity & { bin: string | null }>(),
  'bin.counted': data<{ bin: string; sku: string | null; name: string; counted: number; reason: string }>(),
  'paperless.made': data<{ first: string; count: number }>(),
  'paperless.lost': data<ToteCode>(),
  'paperless.found': data<{ code: string }>(),
  'paperless.freed_by_hand': data<{ code: string; list: number | null; wagon: number | null; note: string }>(),
  'paperless.removed': data<{ code: string }>(),
  'order.tote_bound': data<ToteCode>(),
  'order.tote_freed': data<{ codes: readonly string[] }>(),
  'order.tote_lost': data<ToteCode>(),
  'order.tote_found': data<{ code: string }>(),
  'collect_cage.made': data<Cage>(),
  'collect_cage.changed': data<Cage>(),
  'collect_cage.removed': data<Cage>(),
  'collect_list.created': data<{ cage: string; parcels: number }>(),
  'collect_list.closed': data<{ cage: string; scanned: number; missing: number }>(),
  'collect_list.handed_over': data<{ cage: string; driver: string; parcels: number }>(),
  'collect_list.reopened': data<{ cage: string; note: string; from: string; by: string; station: string }>(),
  'shipment.scanned_out': data<{ list: string; cage: string; tracking_no: string | null }>(),
  'shipment.scan_undone': data<{ list: string; tracking_no: string | null }>(),
  'shipment.taken_out': data<{ list: string; reason: string; tracking_no: string | null }>(),
  'shipment.not_found': data<Missing>(),
  'shipment.damaged': data<Missing>(),
  'shipment.left_for_next': data<Missing>(),
  'shipment.collected': data<Missing & { driver: string; parcel_no: number }>(),
  'shipment.hand_over_undone': data<{ list: string; note: string; tracking_no: string | null }>(),
  'order.hand_over_undone': data<Moved>(),

  'packing.started': data<{ station: string }>(),
  'packing.resumed': data<{ from: string; from_station: string; station: string }>(),
  'packing.taken_over': data<{ from: string; from_station: string; station: string }>(),
  'packing.approved': data<{ act: string; approver: string; approver_id: number }>(),
  'additional_product.set': data<{ name: string; active: boolean; stock_left: number | null }>(),
  'additional_product.picture_set': data(),
  'additional_product.picture_removed': data(),
  'additional_product.removed': data<{ name: string }>(),
  /** A rule gave an order an additional product, or took it away again. */
  'addition.planned': data<Addition>(),
  'addition.blocked': data<Addition>(),
  'addition.released': data<Addition>(),
  'addition.packed': data<Addition>(),
  'addition.skipped': data<Addition>(),
  'alert.set': data<{ email: string; mode: string; enabled: boolean }>(),
  'alert.removed': data<{ email: string }>(),
  'alert.settings_set': data(),
  'alert.hit': data<{ signals: string; mode: string; note: string; recipient: string }>(),
  'alert.decided': data<{ outcome: string; note: string }>(),
  /** A mail about what one alert has gathered is due. */
  'alert.mail_due': data<{ at: string; companies: readonly number[]; recipient: string; orders: number }>(),
  'bulk_config.created': data<BulkConfig>(),
  'bulk_config.changed': data<BulkConfig>(),
  'bulk_config.activated': data<BulkConfig>(),
  'bulk_config.deactivated': data<BulkConfig>(),
  'bulk_config.send_set': data<BulkConfig>(),
  /** A sample is due to the recipient at this place of the list. */
  'bulk_config.sample_due': data<{ position: number }>(),
  'manual_rate.set': data<{ from_currency: string; to_currency: string; rate: string; valid_from: string }>(),
  'customs_number.set': data<{ kind: string; country: string }>(),
  'customs_number.removed': data<{ kind: string; country: string }>(),
  'order.customs_set': data<{ reason: string; terms: string }>(),
  'manual_rate.removed': data<{ from_currency: string; to_currency: string }>(),
  'invoice.queued': data<{ parcels: number }>(),
  'invoice.drafted': data<BulkConfig & { parcels: number }>(),
  'invoice.draft_removed': data(),
  'invoice.frozen': data<{ invoice_no: string; parcels: number }>(),
  'invoice.mail_due': data<{ delivery_id: number }>(),
  'invoice.handed_over': data<{ invoice_no: string }>(),
  'invoice.blocked': data<{ invoice_no: string; tracking_no: string | null }>(),
  'invoice.credited': data<{ invoice_no: string; credit_no: string; by: string }>(),
  'order.bulk_invoice_skip_set': data<{ skip: boolean; items: number }>(),
  'approval_rule.set': data<{ name: string }>(),
  'approval_rule.removed': data<{ name: string }>(),
  'approval.asked': data<{ rule: string }>(),
  'approval.approved': data<{ rule: string; approver: string }>(),
  'approval.refused': data<{ rule: string; approver: string }>(),
  /** `kind` is absent in events of earlier releases. */
  'packing.parked': data<{ reason: string; kind?: string; order_line_id?: number }>(),
  'packing.aborted': data<{ empty: boolean }>(),
  /** `closed_no`: the parcel that is complete. Events of earlier releases lack it. */
  'packing.next_parcel': data<{ parcel_no: number; closed_no?: number }>(),
  'weight.overridden': data<{ parcel_no: number; weight_g: number; expected_g: number; by: string }>(),
  'parcel.unpacked': data<{ parcel_no: number; pieces: number }>(),
  'packing.bypassed': data<{ reason: string }>(),
  'order.packed': data<Moved & { station: string; packer: string; rest: string | null }>(),
  'order.packed_in_part': data<Moved & { station: string; packer: string; rest: string | null }>(),
  /** What was decided of the missing pieces; `follows`, `cancelled` and `held` are their sums. */
  'order.partially_shipped': data<{
    follows: number
    cancelled: number
    held: number
    lines: readonly { order_line_id: number; quantity: number; rest: string }[]
    expected_on: string | null
    notify_recipient: boolean
  }>(),
  'exception.opened': data<{ exception: string; note: string; again: boolean }>(),
  'exception.assigned': data<{ exception: string; owner: string | null }>(),
  'exception.noted': data<{ exception: string; note: string }>(),
  'exception.retried': data<{ exception: string; resolution: string; note: string }>(),
  'exception.overdue': data<{ exception: string; owner: string | null; due_at: string }>(),
  'exception.resolved': data<{ exception: string; resolution: string; note: string }>(),
  'exception_settings.set': data(),
  'photo.taken': data<{ parcel_no: number; station: string }>(),
  'photo.skipped': data<{ parcel_no: number; reason: string }>(),
  'photo.deleted': data<{ parcel_no: number }>(),
  /** By a person, before its time. */
  'photo.removed': data<{ parcel_no: number; reason: string }>(),
  'photo.held': data<{ parcel_no: number; until: string; reason: string }>(),
  'photo.hold_released': data<{ parcel_no: number }>(),
  'recorder_key.created': data<{ name: string }>(),
  'recorder_key.changed': data<{ name: string }>(),
  'recorder_key.revoked': data<{ name: string }>(),
  'video.requested': data<{ station: string; part_no: number }>(),
  'video.available': data<{ station: string; part_no: number; seconds: number }>(),
  'video.failed': data<{ station: string; part_no: number; error: string }>(),
  'video.viewed': data<{ shared: boolean }>(),
  'video.held': data<{ until: string; reason: string }>(),
  /** The packer whom the clip shows gets a mail. */
  'video.hold_notice_due': data<{ video_id: number; video_company_id: number }>(),
  'video.hold_released': data(),
  'video.shared': data<{ expires_at: string; cut_at_label: boolean }>(),
  'video.share_revoked': data(),
  'video.deleted': data<{ reason: string }>(),
  'video_settings.set': data<{ enabled: boolean; retention_days: number }>(),
  'return.requested': data<Rma & { source: string; items: number; withdrawal: boolean; status: string }>(),
  'return.withdrawn': data<Rma & { items: number }>(),
  'return.approved': data<Rma>(),
  'return.rejected': data<Rma & { reason: string }>(),
  'return.cancelled': data<Rma & { reason: string }>(),
  'return.expired': data<Rma>(),
  'return.ends_soon': data<Rma>(),
  'return.label_renewed': data<Rma>(),
  'return.method_set': data<Rma & { method: string }>(),
  'return.in_transit': data<Rma>(),
  'return.arrived': data<Rma>(),
  'return.linked': data<Rma & { order_no: string }>(),
  'return.item_inspected': data<Rma & Piece & { condition: string; serial_check: string | null }>(),
  'return.item_missing': data<Rma & Piece>(),
  'return.item_added': data<Rma & Piece>(),
  'return.item_undone': data<Rma & Piece & { custody: string }>(),
  'return.serial_accepted': data<Rma & Piece & { reason: string }>(),
  'return.decided': data<Rma & { pieces: readonly (Piece & { decision: string })[] }>(),
  'return.refund_proposed': data<Rma & Refund>(),
  'return.refund_confirmed': data<Rma & Refund & { paid: number | null }>(),
  'return.refund_denied': data<Rma & Refund & { reason: string }>(),
  'return.refund_in_doubt': data<Rma & Refund>(),
  'return.exchange_made': data<Rma & { order_no: string; items: number }>(),
  'return.resolved': data<Rma>(),
  'return.reopened': data<Rma & { reason: string }>(),
  'return_rules.changed': data<{ change: 'saved' | 'enabled' | 'reset'; rules: number }>(),
  'return_reasons.changed': data<{ code: string | null }>(),
  'return_settings.set': data<{ review: string; window_days: number }>(),
  'deadline.created': data<{ name: string }>(),
  'deadline.changed': data<{ name: string }>(),
  'deadline.deleted': data<{ name: string }>(),
  'deadline.alarm': data<{ stage: string; due_at: string; missed: number }>(),
  'deadline.alarm_seen': data<{ stage: string }>(),
  'deadline.alarms_set': data<{ recipients: number; sound: boolean }>(),
  'deadline_alarm.mail_due': data<{ alarm_id: number | null; day: string; place: number }>(),
  'deadline.day_set': data<{ day: string; open: boolean }>(),
  'deadline.day_removed': data<{ day: string }>(),
  'board.link_made': data<{ name: string }>(),
  'board.link_revoked': data<{ name: string }>(),
  'punch.in': data<PunchData & { type: string; source: string }>(),
  'punch.switched': data<PunchData & { type: string; source: string }>(),
  'punch.out': data<PunchData & { type: string }>(),
  'punch.undone': data<PunchData>(),
  'punch.explained': data<PunchData>(),
  'punch.flagged': data<PunchData>(),
  /** To the person whose clock-out is missing. */
  'punch.reminder_due': data<{ punch_id: number }>(),
  /** To each lead, while clock-outs are still missing. */
  'punch.lead_reminder_due': data<{ work_date: string }>(),
  'punch.correction_requested': data<PunchData>(),
  'punch.corrected': data<PunchData>(),
  'punch.refused': data<PunchData>(),
  'punch.validated': data<PunchData>(),
  'punch.deleted': data<PunchData>(),
  'punch.synced': data<{ count: number }>(),
  'timesheet.approved': data<{ days: number }>(),
  'timesheet.unapproved': data<{ days: number }>(),
  'timesheet.locked': data<{ from: string; to: string; days: number }>(),
  'timesheet.unlocked': data<{ from: string; to: string; days: number }>(),
  'hours_settings.set': data(),
  'pin.set': data(),
  'pin.removed': data(),
  'pin.wrong': data(),
  'serial.added': data<{ serial: string; name: string }>(),
  'serial.removed': data<{ serial: string; name: string }>(),
  'serial.returned': data<{ serial: string; name: string; returned: boolean }>(),
  'serial_check.set': data<{ regex: string; barcode: string; scope: string }>(),
  'serial_setting.set': data<{ property: string; value: string }>(),
  'serial_check.removed': data<{ regex: string; barcode: string }>(),
  'serial_unit.imported': data<{ added: number; changed: number }>(),
  'serial_unit.marked': data<{ as: string }>(),
  'serial_unit.recalled': data<{ sku: string }>(),
} as const

export type EventKind = keyof typeof eventKinds
export type EventData<K extends EventKind> = NonNullable<(typeof eventKinds)[K]['data']>

interface EventSubject {
  order_id?: number | null
  /** The company whose row changed, where it differs from the actor's own. */
  company_id?: number
  /** The other changed object: `shipment` and its id. */
  subject?: string
  subject_id?: number
}

/** An event to record. Data is left out only for kinds without any. */
export type NewEvent<K extends EventKind = EventKind> = {
  [Kind in K]: EventSubject & { kind: Kind } & (Empty extends EventData<Kind> ? { data?: EventData<Kind> } : { data: EventData<Kind> })
}[K]

/** The fields of an event's data that may be about the order's recipient or customer: they are stored apart and erased with the person. */
export const personalEventFields: { readonly [K in EventKind]?: readonly (keyof EventData<K> & string)[] } = {
  'pay.exported': ['passed'],
  'pay.reopened': ['reason'],
  'webhook.refused': ['problems'],
  'order.changed': ['changed'],
  'order.held': ['note'],
  'order.hold_released': ['note'],
  'order.locked': ['note'],
  'order.unlocked': ['note'],
  'order.cancelled': ['note'],
  'order.commented': ['comment'],
  'order.status_history': ['comment'],
  'order.items_edited': ['reason'],
  'order.ship_by_changed': ['reason'],
  'alert.hit': ['note'],
  'alert.decided': ['note'],
  'order.copied': ['reason'],
  'order.copy_made': ['reason'],
  'order.address_changed': ['address', 'before', 'after'],
  'order.parcel_shop_changed': ['before', 'after'],
  'order.short_wait': ['note'],
  'order.short_ship_partial': ['note'],
  'order.short_ask_customer': ['note'],
  'order.short_cancel_line': ['note'],
  'order.short_found': ['note'],
  'packing.parked': ['reason'],
  'packing.bypassed': ['reason'],
  'working_time.rule_set': ['reason'],
  'exception.opened': ['note'],
  'exception.noted': ['note'],
  'exception.retried': ['note'],
  'exception.resolved': ['note'],
  'shop_connection.push_dropped': ['reason'],
  'video.held': ['reason'],
  'photo.removed': ['reason'],
  'photo.held': ['reason'],
  'return.rejected': ['reason'],
  'return.cancelled': ['reason'],
  'return.serial_accepted': ['reason'],
  'return.refund_denied': ['reason'],
  'return.reopened': ['reason'],
  'label.failed': ['error'],
  'label.stopped': ['note'],
  'label.doubled': ['tracking_no'],
  'shipment.booked': ['tracking_no'],
  'shipment.settled': ['tracking_no'],
  'shipment.blocked': ['tracking_no'],
  'shipment.cancelled': ['tracking_no'],
  'shipment.handed_over': ['place'],
  'shipment.in_transit': ['place'],
  'shipment.out_for_delivery': ['place'],
  'shipment.ready_for_pickup': ['place'],
  'shipment.returning': ['place'],
  'shipment.returned_to_sender': ['place'],
  'shipment.problem_reported': ['place'],
  'shipment.delivered': ['place'],
  'shipment.delivery_failed': ['place'],
  'shipment.needs_attention': ['reason', 'tracking_no'],
  'shipment_exception.planned': ['next_step'],
  'shipment_exception.noted': ['note'],
  'shipment_exception.resolved': ['note'],
  'shipment.scanned_out': ['tracking_no'],
  'shipment.scan_undone': ['tracking_no'],
  'shipment.taken_out': ['tracking_no'],
  'shipment.not_found': ['tracking_no'],
  'shipment.damaged': ['tracking_no'],
  'shipment.left_for_next': ['tracking_no'],
  'shipment.collected': ['tracking_no'],
  'shipment.hand_over_undone': ['note', 'tracking_no'],
  'print.queued': ['title'],
  'print.accepted': ['title', 'error'],
  'print.sent': ['title', 'error'],
  'print.done': ['title', 'error'],
  'print.received': ['title', 'error'],
  'print.waits': ['title', 'error'],
  'print.delayed': ['title', 'error'],
  'print.moved': ['title', 'error'],
  'print.failed': ['title', 'error'],
  'print.retried': ['title', 'error'],
  'print.stopped': ['title', 'error'],
  'print.expired': ['title', 'error'],
  'print.cancelled': ['title', 'error'],
  'print.unknown': ['title', 'error'],
}
