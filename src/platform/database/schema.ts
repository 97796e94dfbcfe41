/** The rows of the database, written by `npm run schema` from the live catalogue. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** ISO 8601, as the database returns it. */
export type Instant = string
/** Anything JSON; written as its text. Read it through a schema of the contract. */
export type Json = ColumnType<unknown, string | null | undefined, string | null>
export type DefaultJson = ColumnType<unknown, string | undefined, string>

export interface AccessLogRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  at: Generated<Instant>
  user_id: number | null
  user_name: string
  subject_type: 'customer' | 'order' | 'user' | 'company'
  subject_id: number | null
  what: string
  criteria: string | null
}

export interface ActivityDaysRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  day: string
  counted_at: Instant
  counted_until: Instant | null
}

export interface ActivityHoursRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  at: Instant
  metric: 'received' | 'packed' | 'packed_on_time' | 'handed_over'
  agent_code: Generated<string>
  n: number
}

export interface AdditionalProductsRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  barcode: string | null
  texts: DefaultJson
  conditions: Json
  per: 'order' | 'customer'
  qty: Generated<number>
  handling: 'show' | 'confirm' | 'scan'
  bin: string | null
  weight_g: Generated<number>
  hs_code: string | null
  value: number | null
  currency: string | null
  stock_left: number | null
  valid_from: string | null
  valid_to: string | null
  company_ids: number[] | null
  position: Generated<number>
  active: Generated<boolean>
  image_file_id: number | null
  image_sha256: string | null
  image_bytes: number | null
  version: Generated<number>
  removed_at: Instant | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  on_pick_list: Generated<boolean>
}

export interface AnnouncementAgreementsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  announcement_id: number
  version_no: number
  user_id: number
  sha256: string
  at: Instant
  locale: string
}

export interface AnnouncementVersionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  announcement_id: number
  no: number
  texts: Json
  sha256: string
  published_at: Instant
  published_by: string
}

export interface AnnouncementsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  client_id: string | null
  title: string
  texts: Json
  mode: 'info' | 'must_agree'
  everyone: boolean
  group_ids: Generated<number[]>
  user_ids: Generated<number[]>
  from_at: Instant
  to_at: Instant | null
  state: Generated<'draft' | 'published' | 'withdrawn'>
  version_no: Generated<number>
  created_by: Generated<string>
  created_at: Generated<Instant>
  changed_at: Generated<Instant>
  reminded_at: Instant | null
  version: Generated<number>
}

export interface ApprovalRequestsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  rule_id: number | null
  rule_name: string
  approver_codes: string[]
  order_id: number
  session_id: number | null
  order_line_id: number | null
  method: 'pin' | 'badge' | 'photo' | 'remote' | null
  state: Generated<'asked' | 'approved' | 'refused' | 'expired' | 'cancelled'>
  asked_by_id: number
  asked_by_name: string
  station: string
  asked_at: Generated<Instant>
  expires_at: Instant | null
  decided_by_id: number | null
  decided_by_name: string | null
  decided_at: Instant | null
  used_at: Instant | null
  photo_id: number | null
  act: Generated<'rule' | 'take_over' | 'bypass' | 'weight' | 'cancel_rest'>
  reason_required: Generated<boolean>
  reason: string | null
}

export interface ApprovalRulesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  name: string
  conditions: Json
  subject: 'line' | 'order' | 'label'
  methods: string[]
  approver_codes: string[]
  position: number
  active: Generated<boolean>
  version: Generated<number>
  updated_at: Generated<Instant>
  reason_required: Generated<boolean>
}

export interface BinCountsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  bin: string
  product_id: number | null
  sku: string | null
  name: Generated<string>
  reason: 'short' | 'damaged' | 'zero_check' | 'asked'
  blocks: Generated<boolean>
  asked_by: string
  asked_at: Generated<Instant>
  counted: number | null
  note: Generated<string>
  done_by: string | null
  done_at: Instant | null
  version: Generated<number>
}

export interface BlockDatesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  from_day: string
  to_day: string
  reason: string
}

export interface BoardTokensRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  kind: 'punchclock' | 'deadlines' | 'stats'
  name: string
  token_hash: Buffer
  created_by: string
  created_at: Generated<Instant>
  last_used_at: Instant | null
  revoked_at: Instant | null
  client_id: string | null
  scope: DefaultJson
  expires_at: Instant | null
}

export interface BulkInvoiceConfigsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  agent_code: string
  country: string
  active: Generated<boolean>
  importer: DefaultJson
  exporter: DefaultJson
  terms: Generated<'DAP' | 'DDP' | 'EXW' | 'DAT'>
  terms_place: Generated<string>
  currency: string
  grouping: Generated<string>
  hs_digits: Generated<number>
  locale: Generated<string>
  series: Generated<string>
  min_parcels: Generated<number>
  max_lines: Generated<number>
  emails: Generated<string[]>
  formats: Generated<string[]>
  send_when: Generated<'freeze' | 'hand_over' | 'manual'>
  subject: Generated<string>
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface BulkInvoiceSkipsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  order_line_id: number
  order_id: number
  skipped_by_name: Generated<string>
  created_at: Generated<Instant>
}

export interface BulkJobRowsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  bulk_job_id: number
  order_id: number
  n: number
  state: Generated<'waiting' | 'done' | 'refused' | 'undone'>
  reason: string | null
  reason_values: Json
  before: Json
  version_after: number | null
  parcel: number | null
}

export interface BulkJobsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  job_id: number | null
  action: 'release' | 'reopen' | 'close' | 'cancel' | 'hold' | 'lock' | 'pin' | 'unpin' | 'method' | 'tag' | 'combine'
  args: DefaultJson
  asked: number
  undo_of: number | null
  created_by: number | null
  actor: string
  created_at: Generated<Instant>
}

export interface CalendarLinksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  user_id: number
  token_hash: Buffer
  created_at: Generated<Instant>
  last_used_at: Instant | null
  revoked_at: Instant | null
}

export interface CampaignDaysRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  campaign_id: number
  variant: 'a' | 'b'
  day: string
  shown: Generated<number>
  clicked: Generated<number>
}

export interface CampaignImagesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  campaign_id: number
  locale: string
  variant: 'a' | 'b'
  headline: Generated<string>
  text: Generated<string>
  button: Generated<string>
  alt: Generated<string>
  webp_1400_file_id: number | null
  webp_700_file_id: number | null
  jpeg_1400_file_id: number | null
  jpeg_700_file_id: number | null
  picture: string | null
}

export interface CampaignViewsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  campaign_id: number
  variant: 'a' | 'b'
  order_id: number
  day: string
  shown: Generated<boolean>
  clicked: Generated<boolean>
}

export interface CampaignsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  public_key: string
  client_id: string | null
  title: string
  state: Generated<'draft' | 'published' | 'paused' | 'ended'>
  from_at: Instant
  to_at: Instant | null
  slot: Generated<string>
  stages: Generated<string[]>
  locales: Generated<string[]>
  countries: Generated<string[]>
  agent_codes: Generated<string[]>
  conditions: DefaultJson
  priority: Generated<number>
  ab_share: number | null
  link: Generated<string>
  version: Generated<number>
  created_at: Generated<Instant>
  changed_at: Generated<Instant>
}

export interface ClaimRulesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  agent_code: string
  kind: 'damage' | 'loss' | 'missing_item'
  count: number | null
  unit: 'working_days' | 'days' | 'months'
  counts_from: 'delivered' | 'booked' | 'noticed'
  version: Generated<number>
}

export interface ClaimsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  shipment_id: number
  order_id: number | null
  kind: 'damage' | 'loss' | 'missing_item'
  state: Generated<'open' | 'sent' | 'won' | 'lost'>
  amount: number
  granted: number | null
  currency: string
  noticed_on: string
  deadline_on: string | null
  sent_at: Instant | null
  settled_at: Instant | null
  reference: Generated<string>
  note: Generated<string>
  created_by: string
  created_at: Generated<Instant>
  client_id: string | null
  version: Generated<number>
}

export interface CmsKeysRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  shop: Generated<string>
  prefix: string
  key_hash: Buffer
  last_used_at: Instant | null
  last_used_ip: string | null
  expires_at: Instant | null
  created_by: number | null
  created_at: Generated<Instant>
  removed_at: Instant | null
  purpose: Generated<'shop' | 'print_agent' | 'api'>
  scopes: Generated<string[]>
  read_only: Generated<boolean>
  allowed_networks: Generated<string[]>
  replaced_by: number | null
}

export interface CollectCagesRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  agent_code: string
  methods: Generated<string[]>
  name: string
  colour: string | null
  cut_off: string | null
  days: Generated<number[]>
  active: Generated<boolean>
  version: Generated<number>
  mark: string | null
}

export interface CollectListsRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  agent_code: string
  cage_id: number | null
  cage_name: Generated<string>
  state: Generated<'open' | 'scanning' | 'closed' | 'handed_over'>
  cut_off_at: Instant | null
  expected_count: Generated<number>
  scanned_count: Generated<number>
  missing_count: Generated<number>
  weight_g: Generated<number>
  created_by: number | null
  created_by_name: Generated<string>
  created_at: Generated<Instant>
  closed_by_name: string | null
  closed_at: Instant | null
  handed_to: string | null
  handed_over_by_name: string | null
  handed_over_at: Instant | null
  reopened_at: Instant | null
  reopen_note: string | null
  version: Generated<number>
  driver_signature: string | null
}

export interface CollectParcelsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  collect_list_id: number
  shipment_id: number
  order_id: number | null
  state: Generated<'expected' | 'scanned' | 'missing' | 'taken_out'>
  reason: 'not_found' | 'damaged' | 'next_pickup' | 'cancelled' | 'stopped' | null
  scanned_by_name: string | null
  scanned_at: Instant | null
  live: Generated<boolean>
}

export interface CollectScansRow {
  operator_id: Generated<number>
  id: string
  collect_list_id: number
  raw: string
  result: string
  shipment_id: number | null
  user_id: number
  at: Generated<Instant>
  answer: DefaultJson
  user_name: string | null
}

export interface CompaniesRow {
  operator_id: number
  id: GeneratedAlways<number>
  code: string
  name: string
  is_main: Generated<boolean>
  settings: DefaultJson
  version: Generated<number>
  created_at: Generated<Instant>
  changed_at: Instant | null
  changed_by: string | null
  own_settings: string[] | null
  closed_at: Instant | null
  closed_by: string | null
  close_reason: string | null
  erase_from: Instant | null
  erased_at: Instant | null
  limits: DefaultJson
}

export interface CompanyExportsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  job_id: number
  file_id: number | null
  row_count: Generated<number>
  file_count: Generated<number>
  requested_by: number
  requested_by_name: string
  created_at: Generated<Instant>
  finished_at: Instant | null
}

export interface ConnectionLogRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  connection_id: number
  at: Instant
  kind: 'pull' | 'push' | 'sweep' | 'backfill' | 'fetch' | 'test'
  outcome: 'created' | 'updated' | 'unchanged' | 'echo' | 'ignored' | 'done' | 'refused' | 'failed'
  shop_words: string | null
  ref: string | null
  order_id: number | null
  count: Generated<number>
}

export interface CounterChecksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  at: Instant
  day: string
  metric: string
  agent_code: Generated<string>
  expected: number
  found: number
}

export interface CourierEventSettingsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  agent_code: string
  event:
    | 'registered'
    | 'handed_over'
    | 'in_transit'
    | 'customs'
    | 'out_for_delivery'
    | 'ready_for_pickup'
    | 'delivered'
    | 'delivery_failed'
    | 'delayed'
    | 'address_problem'
    | 'returning'
    | 'returned'
  to_shop: boolean
  to_recipient: boolean
  to_us: boolean
  template_id: number | null
  version: Generated<number>
  us_action: Generated<'exception' | 'tag'>
  tag_id: number | null
}

export interface CourierMethodsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  agent_code: string
  code: string
  position: number
  name: string
  details: Json
}

export interface CourierPostcodesRow {
  operator_id: Generated<number>
  agent_code: string
  postcode: string
  covered: boolean
  area: string | null
  asked_at: Instant
}

export interface CourierPricesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  agent_code: string
  shipping_method: string
  zone_id: number | null
  max_g: number
  max_length_mm: number | null
  max_side_sum_mm: number | null
  volume_divisor: number | null
  amount: number
  per_kg_amount: number | null
  currency: string
  valid_from: string
  valid_to: string | null
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface CourierSettingsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  agent_code: string
  settings: DefaultJson
  version: Generated<number>
  updated_at: Generated<Instant>
  methods_asked_at: Instant | null
}

export interface CourierWebhooksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  agent_code: string
  made_at: Generated<Instant>
  received_at: Instant | null
  refused_at: Instant | null
}

export interface CrateBasketsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  basket_key: string
  state: 'adopted' | 'ignored'
  crate_type_id: number | null
  decided_by: string
  decided_at: Generated<Instant>
}

export interface CrateChoicesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  parcel_no: number
  suggested_id: number | null
  used_id: number
  suggested_cost: number | null
  used_cost: number
  currency: string
  source: 'scanned' | 'suggested'
  closed_at: Instant | null
  taken_id: number | null
  basket_key: string | null
}

export interface CrateRulesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  sku: string
  sku_key: GeneratedAlways<string>
  kind: 'alone' | 'must' | 'must_not' | 'keep_flat' | 'pieces' | 'filler' | 'fragile_top'
  crate_type_id: number | null
  pieces: number | null
  percent: number | null
  conditions: Json
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface CrateSuggestionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  order_id: number
  status: 'exact' | 'rule' | 'learned' | 'estimate' | 'none'
  crates: Json
  made_at: Generated<Instant>
}

export interface CrateTypesRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  code: string
  barcode: string | null
  inner_mm: number[]
  outer_mm: number[]
  tare_g: number
  max_g: number
  cost: number
  currency: string
  stock: number | null
  filler_percent: Generated<number>
  agent_codes: string[] | null
  company_ids: number[] | null
  letter_box: Generated<boolean>
  max_side_sum_mm: number | null
  position: Generated<number>
  active: Generated<boolean>
  image_file_id: number | null
  image_sha256: string | null
  image_bytes: number | null
  version: Generated<number>
  used_at: Instant | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  low_stock: number | null
  removed_at: Instant | null
}

export interface CustomerBackfillsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  before_order_id: number
  total: number
  done: Generated<number>
  job_id: number | null
  started_at: Instant | null
  finished_at: Instant | null
}

export interface CustomerChangesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number | null
  customer_id: number | null
}

export interface CustomerCompaniesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  customer_id: number
  name: string
  name_postcode: string | null
  created_at: Generated<Instant>
  order_count: Generated<number>
  first_order_at: Instant | null
  last_order_at: Instant | null
  sorted_at: Generated<Instant>
  name_key: Generated<string>
  joined: Generated<boolean>
  listed: Generated<boolean>
}

export interface CustomerFlagsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  customer_id: number
  flag: 'no_sms' | 'no_email' | 'signature' | 'known_problem'
  actor: string
  created_at: Generated<Instant>
}

export interface CustomerLookupsRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  customer_id: number
  seen_by: number[]
  check_type: 'shop_customer' | 'email' | 'phone'
  check_value: string
  ignored: Generated<boolean>
  removed_at: Instant | null
  created_at: Generated<Instant>
}

export interface CustomerMergesRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  root_id: number
  former_root_id: number
  member_ids: number[]
  actor: string
  created_at: Generated<Instant>
  undone_at: Instant | null
  undone_by: string | null
}

export interface CustomerNotesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  customer_id: number
  type: 'info' | 'praise' | 'advice' | 'warning'
  note: string
  at_station: Generated<boolean>
  until: string | null
  client_id: string | null
  user_id: number | null
  actor: string
  created_at: Generated<Instant>
}

export interface CustomerSuggestionsRow {
  operator_id: Generated<number>
  a_id: number
  b_id: number
  reason: 'shop_customer' | 'email' | 'phone' | 'name_postcode'
  state: Generated<'open' | 'merged' | 'dismissed'>
  created_at: Generated<Instant>
}

export interface CustomerTagsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  tag_id: number
  customer_id: number
  created_at: Generated<Instant>
}

export interface CustomerWordsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  customer_id: number
  words: string
}

export interface CustomersRow {
  operator_id: Generated<number>
  id: Generated<number>
  root_id: number
  erased_at: Instant | null
  created_at: Generated<Instant>
  locale: string | null
  order_count: Generated<number>
  version: Generated<number>
}

export interface CustomsNumbersRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  kind: 'vat' | 'eori' | 'ioss' | 'voec'
  country: string
  value: string
  valid_from: string | null
  valid_to: string | null
  created_at: Generated<Instant>
}

export interface DeadlineAlarmSettingsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  recipients: Generated<string[]>
  quiet_from: string | null
  quiet_until: string | null
  sound: Generated<boolean>
  version: Generated<number>
}

export interface DeadlineAlarmsRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  deadline_id: number
  due_at: Instant
  stage: 'watch' | 'soon' | 'urgent' | 'missed'
  at: Instant
  missed: number
  ended_at: Instant | null
  seen_at: Instant | null
  seen_by: number | null
  mailed_at: Instant | null
}

export interface DeadlineCountsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  deadline_id: number
  deadline_at: Instant
  phase: string
  n: number
  work: number
}

export interface DeadlineDaysRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  deadline_id: number | null
  day: string
  open: boolean
  cut_off: string | null
  pickup_time: string | null
  note: Generated<string>
}

export interface DeadlinePointsRow {
  operator_id: Generated<number>
  deadline_id: number
  due_at: Instant
  at: Instant
  remaining: number
  missed: number | null
}

export interface DeadlinesRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  client_id: string
  name: string
  company_ids: Generated<number[]>
  agent_codes: Generated<string[]>
  shipping_methods: Generated<string[]>
  countries: Generated<string[]>
  weekdays: number[]
  cut_off: string
  pickup_time: string
  sla_days: Generated<number>
  target: 'packed' | 'handed_over'
  holidays: string | null
  time_zone: string
  active: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  deleted_at: Instant | null
}

export interface DecisionLinksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  message_id: number
  channel: 'sms' | 'email'
  choices: string[]
  seed: Buffer
  token_hash: Buffer
  tries: Generated<number>
  created_at: Generated<Instant>
  expires_at: Instant
  used_at: Instant | null
  choice: string | null
  until: string | null
  client_id: string | null
  closed_at: Instant | null
  closed_reason: 'revoked' | 'newer' | 'answered' | 'postcode' | 'erased' | null
  actor: Generated<string>
}

export interface EmployeeCprRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  user_id: number
  sealed: Buffer
  set_at: Instant
  set_by: string
}

export interface EmployeesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  user_id: number
  birth_date: string | null
  guardian_name: string | null
  guardian_phone: string | null
  guardian_email: string | null
  employed_from: string | null
  employed_to: string | null
  weekly_s: number | null
  days_per_week: Generated<number>
  country: 'DK' | 'DE' | 'NO' | 'SE' | 'GB' | null
  compulsory_school: Generated<boolean>
  version: Generated<number>
  average_opt_out_from: string | null
  average_opt_out_to: string | null
}

export interface ErasuresRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  kind: 'erase' | 'report'
  state: Generated<'waiting' | 'running' | 'done'>
  reason: string
  shop: string | null
  order_ids: Generated<number[]>
  customer_ids: Generated<number[]>
  done_order_id: Generated<number>
  report: DefaultJson
  requested_by: number | null
  job_id: number | null
  created_at: Generated<Instant>
  finished_at: Instant | null
  asked_customer_ids: Generated<number[]>
}

export interface EventPersonalRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  event_id: number
  at: Instant
  order_id: number | null
  data: Json
}

export interface EventsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  at: Generated<Instant>
  kind: string
  order_id: number | null
  subject: string | null
  subject_id: number | null
  user_id: number | null
  actor_company_id: number | null
  actor_name: Generated<string>
  station: string | null
  data: DefaultJson
  actor_kind: Generated<'user' | 'api_key' | 'system' | null>
}

export interface ExchangeRatesRow {
  operator_id: Generated<number>
  day: string
  currency: string
  rate: string
}

export interface FileSizesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  bytes: number
}

export interface FileSubjectsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  subject_type: string
  subject_id: number
  file_id: number
}

export interface FilesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  sha256: string
  media_type: string
  name: string
  created_at: Generated<Instant>
  erased_at: Instant | null
  removed_at: Instant | null
  bytes: number
}

export interface HolidayOverridesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  day: string
  name: string
  free: boolean
}

export interface ImportMappingsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  shop: string
  mapping: Json
  updated_at: Generated<Instant>
}

export interface InvoiceDeliveriesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  invoice_id: number
  to_address: string
  formats: Generated<string[]>
  subject: Generated<string>
  requested_by_name: Generated<string>
  client_id: string | null
  created_at: Generated<Instant>
}

export interface InvoiceQueueRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  shipment_id: number
  order_id: number | null
  agent_code: string
  country: string
  complete: boolean
  queued_at: Generated<Instant>
  was_incomplete: Generated<boolean>
}

export interface InvoiceQueueCountsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  agent_code: string
  country: string
  id: GeneratedAlways<number>
  ready: number
  incomplete: number
}

export interface JobsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  kind: string
  title: string
  state: Generated<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>
  done: Generated<number>
  total: number | null
  message: string | null
  result: Json
  cancel_asked_at: Instant | null
  created_by: number | null
  created_at: Generated<Instant>
  started_at: Instant | null
  finished_at: Instant | null
  interruptions: Generated<number>
}

export interface KioskRejectsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  client_id: string
  device_user_id: number
  received_at: Instant
  estimate: Instant | null
  why: 'unknown_badge' | 'wrong_pin' | 'too_old' | 'unsealed' | 'already_in' | 'not_in'
  employee_no: string | null
  seen_by: string | null
  seen_at: Instant | null
}

export interface LabelLogRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  shipment_id: number | null
  order_id: number | null
  agent_code: string
  action: string
  outcome: 'ok' | 'refused' | 'unavailable' | 'unknown' | 'found' | 'not_found'
  request: Json
  response: Json
  error: string | null
  took_ms: number | null
  user_id: number | null
  created_at: Generated<Instant>
}

export interface LabelLogPersonalRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  label_log_id: number
  at: Instant
  order_id: number | null
  request: Json
  response: Json
  error: string | null
}

export interface LeaveLedgerRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  user_id: number
  year_start: string
  kind: 'start' | 'taken' | 'returned' | 'carry_over' | 'advance' | 'adjust' | 'paid_out'
  days_milli: number
  day: string
  entry_id: number | null
  explanation: Generated<string>
  made_by: string
  made_at: Generated<Instant>
}

export interface MailAccountsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: number
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  user_name: string | null
  from_name: string
  from_address: string
  reply_to: string | null
  version: Generated<number>
  created_at: Generated<Instant>
}

export interface ManualRatesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  from_currency: string
  to_currency: string
  rate: string
  valid_from: string
  valid_to: string | null
  note: Generated<string>
  created_at: Generated<Instant>
}

export interface MessageBodiesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  message_id: number
  address: string
  name: Generated<string>
  subject: Generated<string>
  text: string
  html: string | null
  created_at: Instant
}

export interface MessageGroupsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  client_id: string
  channel: 'sms' | 'email'
  title: string
  template_id: number | null
  asked: number
  price_micro: number
  currency: string
  actor: string
  created_at: Instant
  cancelled_at: Instant | null
}

export interface MessageOptOutsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  channel: 'sms' | 'email'
  address_key: string
  address: string | null
  source: 'stop' | 'gateway' | 'person'
  actor: Generated<string>
  at: Instant
  ended_at: Instant | null
}

export interface MessageReportsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  account_id: number
  provider_id: string
  state: 'sent' | 'delivered' | 'failed' | 'expired'
  problem: string | null
  at: Instant
}

export interface MessageSettingsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  quiet_from: Generated<string>
  quiet_to: Generated<string>
  keep_days: Generated<number>
  version: Generated<number>
}

export interface MessageTemplatesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  index: number
  channel: 'sms' | 'email'
  locale: string
  trigger: string
  name: string
  subject: Generated<string>
  body: Generated<string>
  blocks: DefaultJson
  layout: Generated<string>
  urgent: Generated<boolean>
  delay_minutes: Generated<number>
  active: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  removed_at: Instant | null
  choices: Generated<string[]>
}

export interface MessagesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  direction: Generated<'out' | 'in'>
  channel: 'sms' | 'email'
  state: 'queued' | 'sending' | 'sent' | 'delivered' | 'failed' | 'expired' | 'unknown' | 'cancelled' | 'skipped' | 'received'
  reason: string | null
  answer: string | null
  order_id: number | null
  customer_id: number | null
  group_id: number | null
  template_id: number | null
  trigger: Generated<string>
  dedupe_key: string
  address_key: string | null
  country: string | null
  urgent: Generated<boolean>
  encoding: string | null
  parts: number | null
  price_micro: number | null
  currency: string | null
  account_id: number | null
  provider: string | null
  provider_id: string | null
  send_after: Instant
  valid_until: Instant
  attempts: Generated<number>
  leased_until: Instant | null
  sent_at: Instant | null
  final_at: Instant | null
  answers_id: number | null
  handled_at: Instant | null
  handled_by: string | null
  actor: Generated<string>
  created_at: Instant
}

export interface MethodRulesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  position: number
  name: Generated<string>
  conditions: Json
  agent_code: string
  shipping_method: string
  active: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface NumberSeriesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  name: string
  next: Generated<number>
}

export interface OperatorDefaultsRow {
  operator_id: Generated<number>
  name: string
  value: Json
}

export interface OperatorsRow {
  id: GeneratedAlways<number>
  name: string
  demo: Generated<boolean>
  created_at: Generated<Instant>
}

export interface OrderAdditionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  additional_product_id: number
  qty: number
  state: 'planned' | 'packed' | 'skipped' | 'blocked' | 'released'
  customer_id: number | null
  session_id: number | null
  skip_reason: 'missing' | 'damaged' | 'left_out' | null
  decided_by: string | null
  decided_at: Instant | null
  created_at: Generated<Instant>
  parcel_no: number | null
}

export interface OrderAlertHitsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  alert_id: number
  owner_company_id: number
  order_id: number
  signals: string
  mode: 'note' | 'hold' | 'pin'
  hold_reason: string | null
  digest: boolean
  note: Generated<string>
  state: Generated<'open' | 'released' | 'kept'>
  decided_by: string | null
  decided_at: Instant | null
  mailed_at: Instant | null
  created_at: Generated<Instant>
}

export interface OrderAlertSettingsRow {
  operator_id: Generated<number>
  owner_company_id: number
  digest_minutes: Generated<number>
  from_name: Generated<string>
  hold_reason: Generated<string>
  version: Generated<number>
}

export interface OrderAlertsRow {
  operator_id: Generated<number>
  id: Generated<number>
  owner_company_id: number
  email: string
  company_ids: number[] | null
  enabled: Generated<boolean>
  mode: 'note' | 'hold' | 'pin'
  threshold_mode: Generated<'inside' | 'outside'>
  match: Generated<'any' | 'all'>
  currency: string
  row_count_min: number | null
  row_count_max: number | null
  row_value_min: number | null
  row_value_max: number | null
  order_count_min: number | null
  order_count_max: number | null
  order_value_min: number | null
  order_value_max: number | null
  conditions: DefaultJson
  digest: Generated<boolean>
  note: Generated<string>
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface OrderCommentsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  type: 'info' | 'praise' | 'advice' | 'warning'
  comment: string
  user_id: number | null
  actor: string
  created_at: Generated<Instant>
}

export interface OrderCountChangesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  phase: string
  ship_country: string
  n: number
  deadline_id: number | null
  deadline_at: Instant | null
  work: Generated<number>
}

export interface OrderCountChecksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  checked_at: Instant
  by_deadline: Generated<boolean>
}

export interface OrderCountsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  phase: string
  ship_country: string
  n: number
}

export interface OrderExportsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  job_id: number
  format: 'csv' | 'xlsx'
  columns: string[]
  sort: string
  locale: string
  filters: Json
  created_at: Generated<Instant>
}

export interface OrderImportsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  shop: string
  file_id: number
  file_name: string
  mapping: Json
  job_id: number | null
  error_file_id: number | null
  rows_read: Generated<number>
  rows_refused: Generated<number>
  created: Generated<number>
  updated: Generated<number>
  unchanged: Generated<number>
  refused: Generated<number>
  problems: DefaultJson
  created_by: number | null
  created_at: Generated<Instant>
  undone_at: Instant | null
  orders_done: Generated<number>
  refusals: DefaultJson
}

export interface OrderLinesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  line_no: number
  external_id: string | null
  type: Generated<'item' | 'shipping' | 'discount' | 'gift_card' | 'payment_fee' | 'fee'>
  sku: string | null
  product_id: number | null
  name: string
  variant: string | null
  barcode: string | null
  qty: number
  cancelled_qty: Generated<number>
  picked_qty: Generated<number>
  packed_qty: Generated<number>
  shipped_qty: Generated<number>
  returned_qty: Generated<number>
  unit_price_excl_vat: number | null
  unit_price_incl_vat: number | null
  discount_excl_vat: Generated<number>
  cost_price: number | null
  vat_percent: string | null
  weight_g: number | null
  bin: string | null
  image_url: string | null
  hs_code: string | null
  origin: string | null
  customs_text: string | null
  serial_required: Generated<boolean>
  requires_shipping: Generated<boolean>
  bundle_of: string | null
  custom: DefaultJson
  shop_qty: number | null
  split_from_line_id: number | null
  combined_order_id: number | null
}

export interface OrderLocksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  kind: 'manual' | 'auto' | 'hold'
  reason: string | null
  note: Generated<string>
  body: DefaultJson
  until: Instant | null
  created_by: number | null
  actor: Generated<string>
  created_at: Generated<Instant>
  released_at: Instant | null
  released_by: number | null
}

export interface OrderSerialsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  order_line_id: number
  sku_key: string
  serial: string
  session_id: number | null
  created_at: Generated<Instant>
  removed_at: Instant | null
  returned_at: Instant | null
  serial_key: string
  scope_key: string | null
  parcel_no: number | null
}

export interface OrderStatusHistoriesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  seq: number
  status: Generated<string>
  comment: Generated<string>
  visible_to_customer: Generated<boolean>
  notify_customer: Generated<boolean>
  user_id: number | null
  actor: string
  client_id: string | null
  created_at: Generated<Instant>
}

export interface OrderTagsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  tag_id: number
  order_id: number
  source: 'person' | 'import' | 'rule'
  created_at: Generated<Instant>
}

export interface OrderWordsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  order_id: number
  words: string
}

export interface OrdersRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  shop: Generated<string>
  external_id: string
  order_no: string
  source: Generated<string>
  work_state: Generated<'new' | 'ready' | 'in_pick' | 'picked' | 'in_pack' | 'packed' | 'handed_over' | 'closed'>
  held: Generated<boolean>
  label_error: Generated<boolean>
  short: Generated<boolean>
  backorder: Generated<boolean>
  cancelled_at: Instant | null
  put_back_due: Generated<boolean>
  delivered_at: Instant | null
  phase: Generated<
    | 'new'
    | 'ready'
    | 'in_pick'
    | 'picked'
    | 'in_pack'
    | 'packed'
    | 'handed_over'
    | 'closed'
    | 'held'
    | 'label_error'
    | 'short'
    | 'combined'
    | 'delivered'
    | 'cancelled'
    | 'cancelled_return_to_stock'
  >
  payment_state: Generated<string>
  currency: string
  locale: string | null
  ordered_at: Instant
  ship_by: Instant | null
  release_at: Instant | null
  packed_at: Instant | null
  pinned_at: Instant | null
  customer_external_id: string | null
  customer_name: Generated<string>
  customer_email: string | null
  customer_phone: string | null
  ship_to: Json
  bill_to: Json
  ship_country: string
  service_point: Json
  shipping_title: string | null
  shipping_code: string | null
  agent_code: string | null
  shipping_method: string | null
  delivery: DefaultJson
  customs: DefaultJson
  tags: Generated<string[]>
  attributes: DefaultJson
  total_excl_vat: number | null
  total_vat: number | null
  total_incl_vat: number | null
  badges: DefaultJson
  item_count: Generated<number>
  weight_g: Generated<number>
  import_id: number | null
  fingerprint: Buffer
  source_version: number | null
  version: Generated<number>
  created_at: Generated<Instant>
  paid_at: Instant | null
  customer_id: number | null
  erased_at: Instant | null
  method_why: Json
  goods_at: string | null
  edited_at: Instant | null
  split_of: number | null
  part_no: Generated<number>
  replacement_of: number | null
  replacement_reason: string | null
  deadline_id: number | null
  deadline_at: Instant | null
  ship_by_source: 'shop' | 'manual' | 'deadline' | 'company' | null
  combined_into: number | null
  combine_key: Buffer | null
}

export interface OutboxRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  at: Generated<Instant>
  object_type: string
  object_id: number
  seq: number
  kind: string
  payload: DefaultJson
}

export interface OutboxDeliveriesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  at: Instant
  destination_kind: string
  destination_id: number
  outbox_id: number
  object_type: string
  object_id: number
  seq: number
  replay_no: Generated<number>
  state: Generated<'waiting' | 'sending' | 'delivered' | 'failed'>
  attempts: Generated<number>
  next_at: Instant
  finished_at: Instant | null
  status: number | null
  answer: string | null
  took_ms: number | null
}

export interface OutboxDestinationsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  kind: string
  events: string[]
  state: Generated<'active' | 'paused' | 'disabled'>
  failures: Generated<number>
  failing_since: Instant | null
  resume_at: Instant | null
  created_at: Generated<Instant>
  paused_at: Instant | null
  pause_mailed_at: Instant | null
  lost: Generated<number>
  shop: string | null
}

export interface OutboxObjectsRow {
  operator_id: Generated<number>
  object_type: string
  object_id: number
  seq: number
}

export interface PackingExceptionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  order_line_id: number | null
  kind: 'label_error' | 'customs' | 'short' | 'damaged' | 'wrong_item' | 'address' | 'weight' | 'no_crate' | 'other'
  item: string | null
  note: Generated<string>
  field: string | null
  reports: Generated<number>
  reported_by: string
  station: string | null
  reported_at: Instant
  owner_user_id: number | null
  owner_name: string | null
  due_at: Instant
  reminders: Generated<number>
  state: Generated<'open' | 'in_work' | 'resolved' | 'cancelled'>
  resolution:
    | 'solved'
    | 'back_to_queue'
    | 'refill'
    | 'ship_partial'
    | 'cancel_lines'
    | 'retry_label'
    | 'corrected_and_retried'
    | 'label_booked'
    | 'packed'
    | 'order_cancelled'
    | null
  resolved_by: string | null
  resolved_at: Instant | null
  version: Generated<number>
  retry: 'retry_label' | 'corrected_and_retried' | null
  retried_by: string | null
  owner_group_id: number | null
}

export interface PackingPhotosRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  client_id: string
  order_id: number
  session_id: number
  parcel_no: number
  station: string
  file_id: number | null
  taken_at: Instant
  taken_by: string
  delete_after: Instant
  deleted_at: Instant | null
  kind: Generated<'box' | 'approval'>
  held_until: string | null
  held_by_name: string | null
  held_reason: string | null
}

export interface PackingScansRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: string
  session_id: number
  order_id: number
  raw: string
  result: string
  order_line_id: number | null
  product_id: number | null
  quantity: Generated<number>
  serial: string | null
  method: Generated<'scan' | 'manual' | 'bypass' | 'camera' | 'typed'>
  parcel_no: Generated<number>
  user_id: number | null
  station: string
  at: Generated<Instant>
  undone_by: string | null
  answer: DefaultJson
  user_name: string | null
}

export interface PackingSessionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  user_id: number
  user_name: string
  station: string
  state: Generated<'open' | 'closing' | 'labelling' | 'label_error' | 'label_check' | 'parked' | 'done' | 'aborted'>
  parcel_no: Generated<number>
  parked_reason: string | null
  rest: 'backorder' | 'cancel' | 'hold' | null
  opened_at: Generated<Instant>
  last_scan_at: Generated<Instant>
  ended_at: Instant | null
  version: Generated<number>
  plan: DefaultJson
  pack: Json
}

export interface PackingVideosRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  session_id: number
  station: string
  channel: Generated<string>
  part_no: number
  source: 'station' | 'recorder'
  recorder_key_id: number | null
  state: 'requested' | 'recording' | 'uploading' | 'processing' | 'available' | 'expired' | 'failed'
  starts_at: Instant
  ends_at: Instant | null
  media_type: string | null
  duration_ms: number | null
  bytes: number | null
  file_id: number | null
  coarse: Generated<boolean>
  error: 'no_data' | 'not_video' | 'no_picture' | 'several_pictures' | 'codec' | 'too_long' | 'too_slow' | 'damaged' | 'hash' | null
  held_until: string | null
  held_by_name: string | null
  held_reason: string | null
  delete_after: Instant
  deleted_at: Instant | null
  created_at: Instant
  client_id: string | null
}

export interface PaperlessBatchesRow {
  operator_id: Generated<number>
  key: string
  digits: string[]
  created_by: number | null
  created_at: Generated<Instant>
}

export interface PaperlessCodesRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  digits: string
  order_company_id: number | null
  order_id: number | null
  bound_at: Instant | null
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
  reserved_at: Instant | null
  at_packing_at: Instant | null
  lost_at: Instant | null
  printed_at: Instant | null
  created_at: Generated<Instant>
  version: Generated<number>
  state: GeneratedAlways<string>
}

export interface ParcelLinesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  order_id: number
  parcel_no: number
  order_line_id: number
  qty: number
}

export interface ParcelShopListsRow {
  operator_id: Generated<number>
  agent_code: string
  country: string
  asked_at: Instant | null
  read_at: Instant | null
  shops: Generated<number>
  failure: string | null
}

export interface ParcelShopReplacementRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  mode: 'ask' | 'nearest'
  version: Generated<number>
}

export interface ParcelShopsRow {
  operator_id: Generated<number>
  agent_code: string
  country: string
  shop_id: string
  name: string
  address1: string
  postcode: string
  city: string
  seen_at: Generated<Instant>
  lat: number | null
  lng: number | null
  cell: GeneratedAlways<number | null>
  locker: Generated<boolean>
  opening_hours: Generated<string[]>
  checked_at: Generated<Instant>
  missed_at: Instant | null
  gone_at: Instant | null
}

export interface ParcelWeightsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  session_id: number
  parcel_no: number
  contents: string
  weight_g: number
  source: 'scale' | 'typed' | 'scanned'
  expected_g: number
  tolerance_g: number
  outcome: 'ok' | 'unchecked' | 'asked' | 'overridden' | 'refused'
  overridden_by: string | null
  unweighed_product_id: number | null
  unweighed_each_g: number | null
  weighed_by: string
  station: string
  weighed_at: Instant
}

export interface PartialShipmentsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  session_id: number
  lines: Json
  notify_recipient: boolean
  expected_on: string | null
  decided_by: string
  created_at: Generated<Instant>
  shipped_at: Instant | null
}

export interface PasswordLinksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  user_id: number
  purpose: 'invitation' | 'forgotten' | 'given'
  nonce: Buffer
  token_hash: Buffer
  created_at: Instant
  expires_at: Instant
}

export interface PayExportLinesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  export_id: number
  user_id: number
  origin_period_id: number
  line_key: string
  kind: 'hours' | 'supplement' | 'commission' | 'floor' | 'leave'
  name: string
  pay_code: string
  units_c: number | null
  rate: number | null
  amount: number
  explanation: Json
}

export interface PayExportsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  period_id: number
  format: 'danlon' | 'csv'
  file_name: string
  content: Buffer
  sha256: string
  rows: number
  total: number
  currency: string
  made_by: string
  made_at: Instant
}

export interface PayListsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  from_day: string
  to_day: string
  answer: Json
  made_by: number | null
  made_at: Instant
}

export interface PayPeriodsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  from_day: string
  to_day: string
  state: Generated<'open' | 'exported' | 'reopened'>
  version: Generated<number>
}

export interface PayRulesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  client_id: string
  kind: 'supplement' | 'tariff'
  name: string
  valid_from: string
  valid_to: string | null
  weekdays: Generated<number[]>
  public_holiday: Generated<boolean>
  from_local: string | null
  to_local: string | null
  unit: 'pick_order' | 'pick_line' | 'pick_piece' | 'pick_kg' | 'pick_wagon' | 'pack_order' | 'pack_line' | 'pack_piece' | 'pack_kg' | null
  rate_micro: number
  rule_group: Generated<string>
  pay_code: Generated<string>
  pilot: Generated<boolean>
  made_by: string
  made_at: Generated<Instant>
  version: Generated<number>
}

export interface PaySettingsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  settings: DefaultJson
  version: Generated<number>
}

export interface PayTermsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  user_id: number
  valid_from: string
  salary_type: 'hourly' | 'commission'
  rate: number
  floor_rate: Generated<number>
  currency: Generated<string>
  reason: Generated<string>
  made_by: string
  made_at: Generated<Instant>
  withdrawn_at: Instant | null
}

export interface PickLinesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  pick_list_id: number
  wagon_no: number
  slot_no: number
  order_id: number
  order_line_id: number
  product_id: number | null
  sku: string | null
  name: string
  variant: string | null
  bin: string | null
  walk_no: number
  cell: number | null
  asked: number
  picked: Generated<number>
  state: Generated<'open' | 'skipped' | 'picked' | 'short' | 'gone'>
  skips: Generated<number>
  taken_by: number | null
  taken_by_name: string | null
  decided_at: Instant | null
  taken_at: Instant | null
}

export interface PickListsRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  type: 'cluster' | 'singles' | 'order'
  state: Generated<'open' | 'picking' | 'picked' | 'packing' | 'completed' | 'cancelled'>
  wave: DefaultJson
  wagon_type: Json
  map_result_id: number | null
  order_count: number
  line_count: number
  piece_count: number
  stop_count: number
  walk_dm: number | null
  first_walk_dm: number | null
  estimated_s: number | null
  job_id: number | null
  created_by: number | null
  created_by_name: Generated<string>
  created_at: Generated<Instant>
  completed_at: Instant | null
  cancelled_at: Instant | null
  version: Generated<number>
}

export interface PickScansRow {
  operator_id: Generated<number>
  id: string
  pick_list_id: number
  wagon_no: number
  pick_line_id: number | null
  order_id: number | null
  order_company_id: number | null
  kind:
    | 'claim'
    | 'bin'
    | 'product'
    | 'pick'
    | 'skip'
    | 'short'
    | 'damaged'
    | 'full'
    | 'zero_check'
    | 'undo'
    | 'pause'
    | 'resume'
    | 'hand_over'
    | 'wrong'
    | 'done'
  raw: Generated<string>
  result: string
  quantity: Generated<number>
  user_id: number
  user_name: string
  at: Instant
  received_at: Generated<Instant>
  undone_by: string | null
  answer: DefaultJson
}

export interface PickShortsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  order_line_id: number
  pick_line_id: number | null
  pick_list_id: number | null
  wagon_no: number | null
  sku: string | null
  name: string
  bin: string | null
  quantity: number
  reason: 'not_there' | 'damaged' | 'wrong_label' | 'expired' | 'other'
  note: Generated<string>
  photo_file_id: number | null
  reported_by: string
  reported_at: Generated<Instant>
  decision: 'wait' | 'ship_partial' | 'ask_customer' | 'cancel_line' | 'found' | null
  decided_by: string | null
  decided_at: Instant | null
  version: Generated<number>
}

export interface PickSlotsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  pick_list_id: number
  wagon_no: number
  slot_no: number
  order_id: number
  state: Generated<'open' | 'picked' | 'removed' | 'packed'>
  weight_g: Generated<number>
  volume_ml: Generated<number>
  live: Generated<boolean>
}

export interface PickWagonPeopleRow {
  operator_id: Generated<number>
  pick_list_id: number
  wagon_no: number
  user_id: number
  user_name: string
  joined_at: Generated<Instant>
  left_at: Instant | null
}

export interface PickWagonsRow {
  operator_id: Generated<number>
  pick_list_id: number
  wagon_no: number
  state: Generated<'open' | 'claimed' | 'picking' | 'paused' | 'picked' | 'at_packing' | 'released' | 'cancelled'>
  user_id: number | null
  user_name: string | null
  walk_dm: number | null
  estimated_s: number | null
  claimed_at: Instant | null
  started_at: Instant | null
  last_at: Instant | null
  picked_at: Instant | null
  released_at: Instant | null
  version: Generated<number>
}

export interface PickupsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  client_id: string
  agent_code: string
  day: string
  from_time: string
  to_time: string
  parcels: number
  weight_g: number
  note: Generated<string>
  state: Generated<'ordering' | 'ordered' | 'unknown' | 'refused' | 'cancelled'>
  courier_no: string | null
  comes_on: string | null
  words: string | null
  created_by: string
  created_at: Generated<Instant>
  cancelled_at: Instant | null
  version: Generated<number>
  cancelling_until: Instant | null
}

export interface PortalLinksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number | null
  return_id: number | null
  purpose: 'session' | 'progress'
  token_hash: Buffer
  created_at: Generated<Instant>
  expires_at: Instant
}

export interface PortalPhotosRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  file_id: number
  created_at: Generated<Instant>
}

export interface PredefinedAddressesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  client_id: string | null
  kind: 'sender' | 'recipient'
  title: string
  name: string
  company: string | null
  attention: string | null
  address1: string
  address2: string | null
  postcode: string
  city: string
  country: string
  phone: string | null
  email: string | null
  instruction: string | null
  is_default: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface PriceSurchargesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  name: string
  agent_code: string
  shipping_method: string | null
  zone_id: number | null
  kind: 'amount' | 'percent'
  amount: number | null
  currency: string | null
  percent_milli: number | null
  over_g: number | null
  over_length_mm: number | null
  valid_from: string
  valid_to: string | null
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface PriceZonesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  name: string
  countries: string[]
  postcodes: Generated<string>
  version: Generated<number>
  created_at: Generated<Instant>
}

export interface PrintAgentsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  version: Generated<string>
  last_seen_at: Instant
  created_at: Generated<Instant>
  removed_at: Instant | null
  kind: Generated<'computer' | 'raspberry'>
  model: Generated<string>
  queues: Json
}

export interface PrintJobsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  printer_id: number
  printer_company_id: number
  station: string | null
  title: string
  document: string
  file_id: number
  format: 'pdf' | 'zpl'
  paper: string | null
  copy_no: Generated<number>
  state: Generated<'queued' | 'sending' | 'sent' | 'accepted' | 'done' | 'failed' | 'expired' | 'cancelled' | 'unknown'>
  idempotency_key: string
  order_id: number | null
  shipment_id: number | null
  remote_job_id: string | null
  error: string | null
  attempts: Generated<number>
  leased_until: Instant | null
  expires_at: Instant
  requested_by: number | null
  requested_by_name: string | null
  created_at: Generated<Instant>
  accepted_at: Instant | null
  finished_at: Instant | null
  printer_name: Generated<string>
  remote_key: Generated<string>
  in_doubt: Generated<boolean>
  moved_from_printer_id: number | null
  copy_of: number | null
  followed_at: Instant | null
  client_id: string | null
  leased_by: string | null
  fallback_printer_id: number | null
  copies: Generated<number>
  doubted_at: Instant | null
}

export interface PrinterAlertsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  enabled: Generated<boolean>
  recipients: Generated<string[]>
  after_minutes: Generated<number>
  version: Generated<number>
}

export interface PrinterCommandsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  agent_id: number
  client_id: string
  command: Json
  state: Generated<'waiting' | 'taken' | 'done' | 'failed'>
  message: string | null
  found: Json
  created_at: Generated<Instant>
  taken_at: Instant | null
  ended_at: Instant | null
}

export interface PrinterOutagesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  printer_id: number
  began_at: Instant
  mailed_at: Instant | null
  ended_at: Instant | null
  end_mailed_at: Instant | null
}

export interface PrinterSelfTestsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  station_id: number
  printer_id: number
  print_job_id: number
  number: number
  day: string
  scheduled: boolean
  asked_at: Instant
  proved_at: Instant | null
  proved_by_name: string | null
  skipped_at: Instant | null
  skipped_by_name: string | null
}

export interface PrintersRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  kind: 'printnode' | 'file' | 'cups' | 'raw9100' | 'agent'
  remote_id: string
  name: string
  description: Generated<string>
  computer: Generated<string>
  state: Generated<string>
  papers: DefaultJson
  raw: Generated<boolean>
  fallback_printer_id: number | null
  seen_at: Generated<Instant>
  last_print_at: Instant | null
  raw_override: boolean | null
  proved_at: Instant | null
  agent_id: number | null
}

export interface ProductBarcodesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  product_id: number
  barcode: string
  quantity: Generated<number>
  created_at: Generated<Instant>
}

export interface ProductComponentsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  product_id: number
  component_id: number
  qty: number
  position: number
}

export interface ProductLinksRow {
  operator_id: Generated<number>
  id: Generated<number>
  title: string
  url: string
  icon: Generated<'link' | 'shop' | 'picture' | 'manual' | 'supplier' | 'search'>
  position: Generated<number>
  company_ids: number[] | null
  active: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface ProductTagsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  tag_id: number
  product_id: number
  created_at: Generated<Instant>
}

export interface ProductsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  sku: string
  sku_key: GeneratedAlways<string | null>
  name: string
  variant: string | null
  weight_g: number | null
  length_mm: number | null
  width_mm: number | null
  height_mm: number | null
  bin: string | null
  image_file_id: number | null
  image_url: string | null
  hs_code: string | null
  origin: string | null
  customs_text: string | null
  serial_required: Generated<boolean>
  no_barcode: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  cost_price: number | null
  cost_currency: string | null
  net_weight_g: number | null
  customs_flags: Generated<string[]>
  manufacturer_no: string | null
}

export interface PunchNotesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  punch_id: number
  no: number
  note: string
}

export interface PunchVersionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  punch_id: number
  no: number
  why: 'made' | 'undone' | 'request' | 'accepted' | 'refused' | 'lead' | 'validated' | 'deleted' | 'system'
  action: 'in' | 'out' | null
  work_date: string
  type: string
  started_at: Instant | null
  ended_at: Instant | null
  not_before: Instant | null
  not_after: Instant | null
  out_not_before: Instant | null
  out_not_after: Instant | null
  state: string
  removal: Generated<boolean>
  by_user_id: number | null
  by_name: string
  at: Instant
  client_id: string | null
}

export interface PunchesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  user_id: number
  shift_id: number | null
  work_date: string
  type: 'work' | 'break' | 'meeting' | 'cleaning' | 'other'
  started_at: Instant | null
  ended_at: Instant | null
  not_before: Instant | null
  not_after: Instant | null
  out_not_before: Instant | null
  out_not_after: Instant | null
  state: 'open' | 'closed' | 'validated' | 'correction_requested' | 'corrected' | 'missing_out' | 'time_unverified' | 'deleted'
  source: 'kiosk' | 'self' | 'offline' | 'entry'
  way: 'badge' | 'pin' | 'picture_pin' | 'session'
  device_user_id: number | null
  station: string | null
  version: Generated<number>
  early_out: 'finished' | 'agreed' | 'other' | null
  reminded_at: Instant | null
  leads_reminded_at: Instant | null
  asked_at: Instant | null
  asked_by: number | null
}

export interface PutBacksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number
  order_line_id: number | null
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
  product_id: number | null
  sku: string | null
  name: string
  bin: string | null
  quantity: number
  done: Generated<number>
  reason: 'order_cancelled' | 'list_cancelled' | 'order_removed' | 'order_changed' | 'short' | 'return'
  created_at: Generated<Instant>
  done_by: string | null
  done_at: Instant | null
  version: Generated<number>
  return_id: number | null
}

export interface RecorderKeysRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  prefix: string
  key_hash: Buffer
  channels: DefaultJson
  last_seen_at: Instant | null
  created_by_name: string
  created_at: Generated<Instant>
  revoked_at: Instant | null
}

export interface RefundProposalsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  return_id: number
  no: number
  kind: 'refund' | 'credit'
  lines: Json
  goods: number
  delivery: Generated<number>
  fee: Generated<number>
  deduction: Generated<number>
  total: number
  currency: string
  note: Generated<string>
  state: Generated<'proposed' | 'confirmed' | 'denied' | 'in_doubt'>
  proposed_at: Generated<Instant>
  proposed_by: string
  shop_ref: string | null
  paid: number | null
  answered_at: Instant | null
  answered_by: string | null
  reason: string | null
}

export interface RetiredSecretsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  sealed: Buffer
  last4: string
  retired_at: Instant
  valid_until: Instant
  last_used_at: Instant | null
}

export interface ReturnFilesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  return_id: number
  file_id: number
  item_id: number | null
  kind: 'customer' | 'arrival' | 'condition' | 'paper'
  created_at: Generated<Instant>
  created_by: Generated<string>
}

export interface ReturnItemsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  return_id: number
  order_line_id: number | null
  product_id: number | null
  sku: string | null
  name: string
  piece_no: Generated<number>
  reason_code: string | null
  reason_note: string | null
  outcome: Generated<'refund' | 'exchange' | 'credit' | 'repair'>
  exchange_product_id: number | null
  unannounced: Generated<boolean>
  custody:
    | 'advised'
    | 'in_transit'
    | 'received'
    | 'added'
    | 'inspected'
    | 'restocked'
    | 'scrapped'
    | 'sent_back'
    | 'repaired'
    | 'kept'
    | 'missing'
    | 'cancelled'
    | 'rejected'
    | 'expired'
  money: Generated<'none' | 'pending' | 'proposed' | 'confirmed' | 'denied' | 'in_doubt'>
  condition: 'A' | 'B' | 'C' | 'scrap' | null
  reason_seen: string | null
  serial: string | null
  serial_check: 'right' | 'wrong' | 'accepted' | 'unreadable' | null
  inspected_at: Instant | null
  inspected_by: string | null
  inspect_note: string | null
  decision: 'restock' | 'scrap' | 'send_back' | 'repair' | 'keep' | null
  decided_at: Instant | null
  decided_by: string | null
  bin: string | null
  put_back_id: number | null
  amount: Generated<number>
  deduction: Generated<number>
  proposal_id: number | null
  version: Generated<number>
  exchange_other: Generated<boolean>
  exchange_order_id: number | null
  keeps: Generated<boolean>
  destination: string | null
  destination_address: string | null
  question: string | null
  answer: string | null
  accessories: Json
}

export interface ReturnParcelsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  return_id: number
  shipment_id: number | null
  tracking_key: string | null
  agent_code: string | null
  weight_g: number | null
  arrived_at: Instant | null
  arrived_by: string | null
  created_at: Generated<Instant>
}

export interface ReturnPortalOffersRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  outcomes: string[]
  methods: string[]
  version: Generated<number>
  changed_at: Generated<Instant>
  label_agent_code: string | null
  label_method: string | null
  label_price: Generated<number>
  label_countries: DefaultJson
  qr_agent_code: string | null
  qr_method: string | null
  qr_price: Generated<number>
  qr_countries: DefaultJson
}

export interface ReturnReasonsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  code: string
  words: DefaultJson
  evidence_text: Generated<'off' | 'optional' | 'required'>
  evidence_photo: Generated<'off' | 'optional' | 'required'>
  fault: 'shop' | 'customer' | 'courier'
  position: Generated<number>
  active: Generated<boolean>
  version: Generated<number>
}

export interface ReturnRuleSetsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  state: 'draft' | 'active' | 'retired'
  rules: DefaultJson
  hash: string
  dry_run: Json
  dry_run_at: Instant | null
  changed_at: Generated<Instant>
  changed_by: Generated<string>
  version: Generated<number>
}

export interface ReturnsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  client_id: string | null
  rma_no: string
  order_id: number | null
  shop: Generated<string>
  source: 'portal' | 'desk' | 'undelivered' | 'orphan'
  status:
    | 'requested'
    | 'approved'
    | 'rejected'
    | 'cancelled'
    | 'expired'
    | 'in_transit'
    | 'arrived'
    | 'awaiting_review'
    | 'decided'
    | 'resolved'
  ended_as: 'rejected' | 'cancelled' | 'expired' | null
  language: Generated<string>
  method: 'label' | 'qr' | 'own_label' | 'bring' | 'none'
  withdrawal: Generated<boolean>
  noticed_at: Instant | null
  refund_due_at: Instant | null
  requested_at: Generated<Instant>
  approved_at: Instant | null
  expires_at: Instant | null
  in_transit_at: Instant | null
  arrived_at: Instant | null
  decided_at: Instant | null
  resolved_at: Instant | null
  contact_name: string | null
  contact_email: string | null
  contact_phone: string | null
  claimed_order_no: string | null
  note: string | null
  reason: string | null
  shelf: string | null
  currency: string
  fee: Generated<number>
  created_by: Generated<string>
  version: Generated<number>
  reopened_at: Instant | null
  rule_set_id: number | null
  applied_rules: Generated<string[]>
  exempt: Generated<boolean>
  postage: Generated<number>
  label_client_id: string | null
  label_attempts: Generated<number>
  reminded_at: Instant | null
  drop_off: Json
}

export interface RmaLanguagesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  shop: Generated<string>
  language: string
  enabled: Generated<boolean>
  texts: DefaultJson
  logo_file_id: number | null
  header_file_id: number | null
  background_file_id: number | null
  version: Generated<number>
  changed_at: Generated<Instant>
}

export interface SavedViewsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  screen: string
  name: string
  query: Json
  shared: Generated<boolean>
  user_id: number
  created_at: Generated<Instant>
}

export interface ScheduleChangesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  change_id: string
  entry_id: number
  before: Json
  after: Json
  user_id: number
  changed_by: string
  changed_at: Instant
  undone_at: Instant | null
}

export interface ScheduleEntriesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  kind: 'shift' | 'leave' | 'availability'
  client_id: string | null
  user_id: number | null
  work_date: string
  date_to: string | null
  start_local: string | null
  end_local: string | null
  start_at: Instant | null
  end_at: Instant | null
  break_s: Generated<number>
  station: string | null
  skill: string | null
  reason_id: number | null
  part: 'full' | 'morning' | 'afternoon' | 'rest' | null
  state:
    | 'draft'
    | 'published'
    | 'removed'
    | 'requested'
    | 'approved'
    | 'rejected'
    | 'withdrawn'
    | 'cancel_requested'
    | 'cancelled'
    | 'registered'
    | 'seen'
    | 'available'
    | 'unavailable'
  published_user_id: number | null
  published_date: string | null
  published_start_at: Instant | null
  published_end_at: Instant | null
  published_break_s: number | null
  published_station: string | null
  unpublished: Generated<boolean>
  replaces_id: number | null
  leave_id: number | null
  decided_by: string | null
  decided_at: Instant | null
  decision: string | null
  own_decision: Generated<boolean>
  changed_by: Generated<string>
  changed_at: Generated<Instant>
  version: Generated<number>
  share_c: number | null
}

export interface ScheduleNotesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  entry_id: number
  note: string
}

export interface SecretsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  name: string
  sealed: Buffer
  last4: string
  updated_at: Generated<Instant>
  updated_by: number | null
}

export interface SerialRuleProductsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  barcode: string
  created_at: Generated<Instant>
  rule_id: number
}

export interface SerialRulesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  regex: string
  scope: Generated<'product' | 'company' | 'none'>
  created_at: Generated<Instant>
  extract: DefaultJson
}

export interface SerialUnitsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  sku_key: string
  serial: string
  serial_key: string
  state: Generated<'in_stock' | 'sent' | 'returned' | 'recalled' | 'removed'>
  pack_code: string | null
  lot: string | null
  expiry: string | null
  imported_at: Generated<Instant>
}

export interface SessionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  user_id: number
  token_hash: Buffer
  created_at: Generated<Instant>
  last_used_at: Generated<Instant>
  expires_at: Instant
  ended_at: Instant | null
  ip: string | null
  user_agent: string | null
  proved_at: Instant | null
}

export interface SettingChangesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  before: Json
  after: Json
  changed_by: string
  at: Instant
}

export interface ShiftOffersRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  kind: 'take' | 'give' | 'swap'
  entry_id: number
  from_user_id: number
  to_user_id: number | null
  with_entry_id: number | null
  state: 'open' | 'requested' | 'accepted' | 'refused' | 'withdrawn' | 'gone'
  reason: string | null
  decided_by: string | null
  decided_at: Instant | null
  created_at: Generated<Instant>
}

export interface ShiftTemplatesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  start_minute: number
  end_minute: number
  break_s: Generated<number>
  station: string | null
  skill: string | null
}

export interface ShipmentCustomsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  shipment_id: number
  regime: string
  papers: Generated<string[]>
  transit: Generated<boolean>
  reason: string
  terms: string | null
  numbers: DefaultJson
  statements: Generated<string[]>
  why: DefaultJson
  decided_at: Generated<Instant>
  product_ids: Generated<boolean>
}

export interface ShipmentDocumentsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  shipment_id: number
  document_no: number
  kind: string
  format: 'pdf' | 'zpl'
  paper: 'label' | 'a4'
  file_id: number
}

export interface ShipmentEventsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  shipment_id: number
  order_id: number | null
  state: string
  at: Generated<Instant>
  place: string | null
  text: Generated<string>
  source: Generated<string>
  user_id: number | null
  user_name: string | null
  courier_key: string | null
}

export interface ShipmentExceptionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  shipment_id: number
  order_id: number | null
  kind:
    | 'no_scan'
    | 'no_movement'
    | 'customs'
    | 'address'
    | 'delivery_failed'
    | 'delayed'
    | 'problem'
    | 'waiting_in_shop'
    | 'returned'
    | 'lost'
  opened_at: Instant
  owner_user_id: number | null
  owner_name: string | null
  next_step: Generated<string>
  next_at: Instant | null
  note: Generated<string>
  resolution: 'solved' | 'reshipped' | 'returned' | 'lost' | 'no_action' | 'delivered' | 'moving' | 'replaced' | 'cancelled' | null
  resolved_by: string | null
  resolved_at: Instant | null
  version: Generated<number>
}

export interface ShipmentLinesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  shipment_id: number
  line_no: number
  order_line_id: number | null
  sku: string | null
  description: string
  quantity: number
  hs_code: string | null
  origin: string | null
  value: number | null
  currency: string | null
  net_weight_g: number | null
  gross_weight_g: number | null
  manufacturer_no: string | null
  gtin: string | null
  transit_value: number | null
}

export interface ShipmentPartiesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  shipment_id: number
  role: 'sender' | 'recipient' | 'return_to' | 'importer' | 'payer'
  party: Json
}

export interface ShipmentPricesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  shipment_id: number
  amount: number
  currency: string
  charged_g: number
  zone: string | null
  parts: Json
  priced_at: Generated<Instant>
}

export interface ShipmentsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  order_id: number | null
  session_id: number | null
  parcel_no: Generated<number>
  attempt: Generated<number>
  agent_code: string
  shipping_method: string
  operation_code: Generated<'outbound' | 'return'>
  state: Generated<
    | 'draft'
    | 'booking'
    | 'unknown'
    | 'booked'
    | 'handed_over'
    | 'in_transit'
    | 'out_for_delivery'
    | 'ready_for_pickup'
    | 'delivered'
    | 'delivery_failed'
    | 'needs_attention'
    | 'returning'
    | 'returned_to_sender'
    | 'lost'
    | 'cancelled'
    | 'blocked'
    | 'error'
  >
  idempotency_key: string
  reference: string
  reserved_number: string | null
  request: DefaultJson
  leased_until: Instant | null
  station: string | null
  label_printer_id: number | null
  a4_printer_id: number | null
  tracking_no: string | null
  barcode: string | null
  label_pdf_file_id: number | null
  label_a4_file_id: number | null
  label_zpl_file_id: number | null
  weight_g: Generated<number>
  error: string | null
  error_field: string | null
  error_kind: string | null
  booked_at: Instant | null
  handed_over_at: Instant | null
  delivered_at: Instant | null
  cancelled_at: Instant | null
  cancel_answers: Json
  created_by: number | null
  created_at: Generated<Instant>
  version: Generated<number>
  cage: string | null
  kind: Generated<'order' | 'free' | 'return'>
  error_code: string | null
  client_id: string | null
  next_track_at: Instant | null
  event_reason: 'customs' | 'delayed' | 'address_problem' | null
  consignment_id: number | null
  courier_no: string | null
  collect_by: string | null
  qr_link: string | null
}

export interface ShippingMethodsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  agent_code: string
  shipping_method: string
  type: Generated<string>
  name: string
  active: Generated<boolean>
  check_tracking_and_trace: Generated<boolean>
  shop_codes: Generated<string[]>
  packing_text: string | null
  image_file_id: number | null
  documents: Generated<string[]>
  version: Generated<number>
}

export interface ShopConnectionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: number
  client_id: string
  system: string
  shop: string
  name: string
  base_url: string
  settings: DefaultJson
  state: Generated<'active' | 'paused' | 'broken'>
  pull_from: Instant
  cursor: DefaultJson
  caught_up: Generated<boolean>
  next_pull_at: Generated<Instant>
  pulling_until: Instant | null
  failures: Generated<number>
  denials: Generated<number>
  last_order_at: Instant | null
  last_ok_at: Instant | null
  swept_at: Instant | null
  version: Generated<number>
  created_at: Generated<Instant>
}

export interface ShopDeliveriesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  source: string
  delivery_id: string
  received_at: Generated<Instant>
  outcome: string | null
}

export interface ShopRefsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  connection_id: number
  order_id: number
  object_type: 'order' | 'shipment'
  object_id: number
  external_id: string
  fact: string
  of_fact: string | null
  value: string | null
  value_hash: string | null
  state: 'waiting' | 'sending' | 'done' | 'refused'
  leased_until: Instant | null
  made: DefaultJson
  written_at: Instant | null
}

export interface SignInChallengesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  token_hash: Buffer
  kind: 'second_factor' | 'setup' | 'totp' | 'passkey' | 'new_passkey' | 'provider' | 'identity' | 'invitation' | 'proof'
  user_id: number | null
  sealed: Buffer | null
  tries: Generated<number>
  expires_at: Instant
}

export interface SignInProvidersRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  name: string
  issuer: string
  client_id: string
  active: boolean
  second_factor: boolean
  version: Generated<number>
}

export interface SmsAccountsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  provider: 'log' | 'gatewayapi' | 'twilio' | 'inmobile'
  api: Generated<'classic' | 'messaging'>
  region: Generated<'com' | 'eu'>
  user_name: Generated<string>
  sender: string
  price_micro: Generated<number>
  currency: string
  warn_below_micro: number | null
  balance_micro: number | null
  balance_currency: string | null
  balance_at: Instant | null
  problem: string | null
  answer: string | null
  problem_at: Instant | null
  version: Generated<number>
  created_at: Generated<Instant>
}

export interface StationPrintersRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  station_id: number
  role: 'label' | 'return_label' | 'slip' | 'customs' | 'invoice' | 'sheet' | 'pick' | 'collect' | 'test'
  printer_id: number
  fallback_printer_id: number | null
  copies: Generated<number>
}

export interface StationSelfTestsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  station_id: number
  at: string
  days: number[]
  asks: Generated<boolean>
}

export interface StationsRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  first_used_at: Generated<Instant>
  last_used_at: Generated<Instant>
  scanner: Json
}

export interface StatisticsResultsRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  kind: string
  question: Json
  answer: Json
  created_by: number | null
  created_at: Generated<Instant>
}

export interface TagRuleHitsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  order_id: number
  tag_rule_id: number
  created_at: Generated<Instant>
}

export interface TagRulesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  client_id: Generated<string>
  tag_id: number
  conditions: Json
  active: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface TagsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  client_id: Generated<string>
  name: string
  code: string
  words: string[]
  color: 'c1' | 'c2' | 'c3' | 'c4' | 'c5' | 'c6'
  version: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface TimesheetDaysRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  user_id: number
  work_date: string
  state: 'approved' | 'locked'
  intervals: Json
  paid_s: number
  from_versions: Json
  approved_by: number | null
  approved_by_name: string
  approved_at: Instant
  auto: Generated<boolean>
  own: Generated<boolean>
  version: Generated<number>
}

export interface TimesheetVersionsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  user_id: number
  work_date: string
  why: 'approved' | 'unapproved' | 'locked' | 'unlocked'
  intervals: Json
  paid_s: number
  reason: Generated<string>
  by_name: string
  at: Instant
}

export interface TradeInvoiceLinesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  invoice_id: number
  position: number
  hs_code: string
  origin: string
  sku: string | null
  description: string
  quantity: number
  value: number
  net_g: number
  gross_g: number
  rounding: Generated<number>
  parcels: Generated<number>
}

export interface TradeInvoiceParcelsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  invoice_id: number
  shipment_id: number
  position: number
  order_id: number | null
  order_no: string | null
  tracking_no: string | null
  postcode: Generated<string>
  value: number
  net_g: number
  gross_g: number
  live: boolean
}

export interface TradeInvoicesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: Generated<number>
  config_id: number | null
  agent_code: string
  country: string
  kind: Generated<'invoice' | 'credit'>
  state: 'draft' | 'frozen' | 'sent' | 'blocked' | 'handed_over' | 'credited'
  series: Generated<string>
  year: number | null
  number: number | null
  invoice_no: string | null
  issued_on: string
  currency: string
  terms: Generated<string>
  terms_place: Generated<string>
  importer: DefaultJson
  exporter: DefaultJson
  locale: Generated<string>
  rates: DefaultJson
  line_count: Generated<number>
  parcel_count: Generated<number>
  total: Generated<number>
  rounding: Generated<number>
  net_g: Generated<number>
  gross_g: Generated<number>
  collect_list_ids: Generated<number[]>
  shipment_ids: Generated<number[]>
  credits_id: number | null
  replaces_id: number | null
  reason: Generated<string>
  sha256: string | null
  kept_until: string | null
  client_id: string | null
  created_by_name: Generated<string>
  frozen_by_name: string | null
  frozen_at: Instant | null
  sent_at: Instant | null
  handed_over_at: Instant | null
  blocked_reason: string | null
  version: Generated<number>
  created_at: Generated<Instant>
  footer: string | null
}

export interface UserBadgesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  user_id: number
  code_hash: Buffer
  made_at: Instant
}

export interface UserGroupMembersRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  group_id: number
  user_id: number
  added_by: string
  added_at: Generated<Instant>
}

export interface UserGroupsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  permission: Generated<number[]>
  created_by: number | null
  created_at: Generated<Instant>
  version: Generated<number>
  removed_at: Instant | null
  stations: string[] | null
  acts: Generated<string[]>
}

export interface UserIdentitiesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  user_id: number
  issuer: string
  subject: string
  linked_at: Instant
  last_used_at: Instant | null
}

export interface UserPasskeysRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  user_id: number
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
  name: string
  created_at: Instant
  last_used_at: Instant | null
}

export interface UserPinsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  user_id: number
  pin_hash: string
  set_at: Instant
}

export interface UserTotpRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  user_id: number
  sealed: Buffer
  set_at: Instant
  last_step: number
  recovery: Buffer[]
}

export interface UsersRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  user_name: string | null
  email: string | null
  phone: string | null
  role: string | null
  employee_no: string | null
  locale: string | null
  permission: Generated<number[]>
  password_hash: string | null
  image_file_id: number | null
  badge_hash: Buffer | null
  settings: DefaultJson
  version: Generated<number>
  created_at: Generated<Instant>
  removed_at: Instant | null
  skills: Generated<string[]>
  password_given: Generated<boolean>
  kind: Generated<'person' | 'device'>
}

export interface VideoSharesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  video_id: number
  token_hash: Buffer
  expires_at: Instant
  cut_at_label: boolean
  cut_ms: number | null
  file_id: number | null
  views: Generated<number>
  created_by_name: string
  created_at: Instant
  revoked_at: Instant | null
}

export interface VideoUploadsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  video_id: number
  received_bytes: Generated<number>
  last_at: Instant
  finished_at: Instant | null
  sha256: string | null
}

export interface VideoViewsRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  video_id: number
  order_id: number
  user_id: number | null
  viewer_name: string | null
  share_id: number | null
  viewed_at: Instant
}

export interface WagonTypesRow {
  operator_id: Generated<number>
  id: Generated<number>
  name: string
  rows: number
  columns: number
  slots: Json
  max_weight_g: number | null
  active: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Instant>
}

export interface WarehouseMapResultsRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  map_id: number
  title: string
  state: Generated<'computing' | 'ready' | 'active' | 'superseded' | 'failed'>
  map_hash: string
  drawing: Json
  file_id: number | null
  job_id: number | null
  cells: number | null
  quality: DefaultJson
  error: string | null
  created_by: Generated<string>
  created_at: Generated<Instant>
  activated_at: Instant | null
}

export interface WarehouseMapsRow {
  operator_id: Generated<number>
  id: GeneratedAlways<number>
  title: string
  drawing: Json
  hash: string
  version: Generated<number>
  created_by: Generated<string>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

export interface WebhookBodiesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  delivery_id: number
  delivery_at: Instant
  webhook_id: number
  order_id: number | null
  sent_at: Instant
  body: string
  customer_id: number | null
}

export interface WebhooksRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: number
  name: string
  url: string
  created_at: Generated<Instant>
  header_name: string | null
  version: Generated<number>
}

export interface WeekTemplatesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  name: string
  shifts: Json
}

export interface WorkDailyRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  user_id: number
  day: string
  kind: 'pick' | 'pack'
  orders: number
  lines: number
  pieces: number
  grams: number
  wagons: number
  scans: number
  wrong: number
  shorts: number
  wagon_claims: number
  active_s: number
  break_s: number
}

export interface WorkDaysCountedRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  day: string
  counted_at: Instant
}

export interface WorkingTimeRulesRow {
  operator_id: Generated<number>
  company_id: Generated<number>
  id: GeneratedAlways<number>
  country: 'DK' | 'DE' | 'NO' | 'SE' | 'GB'
  rule:
    | 'rest'
    | 'weekly_rest'
    | 'average'
    | 'break'
    | 'long_day'
    | 'young_day'
    | 'young_week'
    | 'young_rest'
    | 'young_weekly_rest'
    | 'young_break'
  valid_from: string
  minutes: number
  reason: Generated<string>
  version: Generated<number>
}

export interface DB {
  access_log: AccessLogRow
  activity_days: ActivityDaysRow
  activity_hours: ActivityHoursRow
  additional_products: AdditionalProductsRow
  announcement_agreements: AnnouncementAgreementsRow
  announcement_versions: AnnouncementVersionsRow
  announcements: AnnouncementsRow
  approval_requests: ApprovalRequestsRow
  approval_rules: ApprovalRulesRow
  bin_counts: BinCountsRow
  block_dates: BlockDatesRow
  board_tokens: BoardTokensRow
  bulk_invoice_configs: BulkInvoiceConfigsRow
  bulk_invoice_skips: BulkInvoiceSkipsRow
  bulk_job_rows: BulkJobRowsRow
  bulk_jobs: BulkJobsRow
  calendar_links: CalendarLinksRow
  campaign_days: CampaignDaysRow
  campaign_images: CampaignImagesRow
  campaign_views: CampaignViewsRow
  campaigns: CampaignsRow
  claim_rules: ClaimRulesRow
  claims: ClaimsRow
  cms_keys: CmsKeysRow
  collect_cages: CollectCagesRow
  collect_lists: CollectListsRow
  collect_parcels: CollectParcelsRow
  collect_scans: CollectScansRow
  companies: CompaniesRow
  company_exports: CompanyExportsRow
  connection_log: ConnectionLogRow
  counter_checks: CounterChecksRow
  courier_event_settings: CourierEventSettingsRow
  courier_methods: CourierMethodsRow
  courier_postcodes: CourierPostcodesRow
  courier_prices: CourierPricesRow
  courier_settings: CourierSettingsRow
  courier_webhooks: CourierWebhooksRow
  crate_baskets: CrateBasketsRow
  crate_choices: CrateChoicesRow
  crate_rules: CrateRulesRow
  crate_suggestions: CrateSuggestionsRow
  crate_types: CrateTypesRow
  customer_backfills: CustomerBackfillsRow
  customer_changes: CustomerChangesRow
  customer_companies: CustomerCompaniesRow
  customer_flags: CustomerFlagsRow
  customer_lookups: CustomerLookupsRow
  customer_merges: CustomerMergesRow
  customer_notes: CustomerNotesRow
  customer_suggestions: CustomerSuggestionsRow
  customer_tags: CustomerTagsRow
  customer_words: CustomerWordsRow
  customers: CustomersRow
  customs_numbers: CustomsNumbersRow
  deadline_alarm_settings: DeadlineAlarmSettingsRow
  deadline_alarms: DeadlineAlarmsRow
  deadline_counts: DeadlineCountsRow
  deadline_days: DeadlineDaysRow
  deadline_points: DeadlinePointsRow
  deadlines: DeadlinesRow
  decision_links: DecisionLinksRow
  employee_cpr: EmployeeCprRow
  employees: EmployeesRow
  erasures: ErasuresRow
  event_personal: EventPersonalRow
  events: EventsRow
  exchange_rates: ExchangeRatesRow
  file_sizes: FileSizesRow
  file_subjects: FileSubjectsRow
  files: FilesRow
  holiday_overrides: HolidayOverridesRow
  import_mappings: ImportMappingsRow
  invoice_deliveries: InvoiceDeliveriesRow
  invoice_queue: InvoiceQueueRow
  invoice_queue_counts: InvoiceQueueCountsRow
  jobs: JobsRow
  kiosk_rejects: KioskRejectsRow
  label_log: LabelLogRow
  label_log_personal: LabelLogPersonalRow
  leave_ledger: LeaveLedgerRow
  mail_accounts: MailAccountsRow
  manual_rates: ManualRatesRow
  message_bodies: MessageBodiesRow
  message_groups: MessageGroupsRow
  message_opt_outs: MessageOptOutsRow
  message_reports: MessageReportsRow
  message_settings: MessageSettingsRow
  message_templates: MessageTemplatesRow
  messages: MessagesRow
  method_rules: MethodRulesRow
  number_series: NumberSeriesRow
  operator_defaults: OperatorDefaultsRow
  operators: OperatorsRow
  order_additions: OrderAdditionsRow
  order_alert_hits: OrderAlertHitsRow
  order_alert_settings: OrderAlertSettingsRow
  order_alerts: OrderAlertsRow
  order_comments: OrderCommentsRow
  order_count_changes: OrderCountChangesRow
  order_count_checks: OrderCountChecksRow
  order_counts: OrderCountsRow
  order_exports: OrderExportsRow
  order_imports: OrderImportsRow
  order_lines: OrderLinesRow
  order_locks: OrderLocksRow
  order_serials: OrderSerialsRow
  order_status_histories: OrderStatusHistoriesRow
  order_tags: OrderTagsRow
  order_words: OrderWordsRow
  orders: OrdersRow
  outbox: OutboxRow
  outbox_deliveries: OutboxDeliveriesRow
  outbox_destinations: OutboxDestinationsRow
  outbox_objects: OutboxObjectsRow
  packing_exceptions: PackingExceptionsRow
  packing_photos: PackingPhotosRow
  packing_scans: PackingScansRow
  packing_sessions: PackingSessionsRow
  packing_videos: PackingVideosRow
  paperless_batches: PaperlessBatchesRow
  paperless_codes: PaperlessCodesRow
  parcel_lines: ParcelLinesRow
  parcel_shop_lists: ParcelShopListsRow
  parcel_shop_replacement: ParcelShopReplacementRow
  parcel_shops: ParcelShopsRow
  parcel_weights: ParcelWeightsRow
  partial_shipments: PartialShipmentsRow
  password_links: PasswordLinksRow
  pay_export_lines: PayExportLinesRow
  pay_exports: PayExportsRow
  pay_lists: PayListsRow
  pay_periods: PayPeriodsRow
  pay_rules: PayRulesRow
  pay_settings: PaySettingsRow
  pay_terms: PayTermsRow
  pick_lines: PickLinesRow
  pick_lists: PickListsRow
  pick_scans: PickScansRow
  pick_shorts: PickShortsRow
  pick_slots: PickSlotsRow
  pick_wagon_people: PickWagonPeopleRow
  pick_wagons: PickWagonsRow
  pickups: PickupsRow
  portal_links: PortalLinksRow
  portal_photos: PortalPhotosRow
  predefined_addresses: PredefinedAddressesRow
  price_surcharges: PriceSurchargesRow
  price_zones: PriceZonesRow
  print_agents: PrintAgentsRow
  print_jobs: PrintJobsRow
  printer_alerts: PrinterAlertsRow
  printer_commands: PrinterCommandsRow
  printer_outages: PrinterOutagesRow
  printer_self_tests: PrinterSelfTestsRow
  printers: PrintersRow
  product_barcodes: ProductBarcodesRow
  product_components: ProductComponentsRow
  product_links: ProductLinksRow
  product_tags: ProductTagsRow
  products: ProductsRow
  punch_notes: PunchNotesRow
  punch_versions: PunchVersionsRow
  punches: PunchesRow
  put_backs: PutBacksRow
  recorder_keys: RecorderKeysRow
  refund_proposals: RefundProposalsRow
  retired_secrets: RetiredSecretsRow
  return_files: ReturnFilesRow
  return_items: ReturnItemsRow
  return_parcels: ReturnParcelsRow
  return_portal_offers: ReturnPortalOffersRow
  return_reasons: ReturnReasonsRow
  return_rule_sets: ReturnRuleSetsRow
  returns: ReturnsRow
  rma_languages: RmaLanguagesRow
  saved_views: SavedViewsRow
  schedule_changes: ScheduleChangesRow
  schedule_entries: ScheduleEntriesRow
  schedule_notes: ScheduleNotesRow
  secrets: SecretsRow
  serial_rule_products: SerialRuleProductsRow
  serial_rules: SerialRulesRow
  serial_units: SerialUnitsRow
  sessions: SessionsRow
  setting_changes: SettingChangesRow
  shift_offers: ShiftOffersRow
  shift_templates: ShiftTemplatesRow
  shipment_customs: ShipmentCustomsRow
  shipment_documents: ShipmentDocumentsRow
  shipment_events: ShipmentEventsRow
  shipment_exceptions: ShipmentExceptionsRow
  shipment_lines: ShipmentLinesRow
  shipment_parties: ShipmentPartiesRow
  shipment_prices: ShipmentPricesRow
  shipments: ShipmentsRow
  shipping_methods: ShippingMethodsRow
  shop_connections: ShopConnectionsRow
  shop_deliveries: ShopDeliveriesRow
  shop_refs: ShopRefsRow
  sign_in_challenges: SignInChallengesRow
  sign_in_providers: SignInProvidersRow
  sms_accounts: SmsAccountsRow
  station_printers: StationPrintersRow
  station_self_tests: StationSelfTestsRow
  stations: StationsRow
  statistics_results: StatisticsResultsRow
  tag_rule_hits: TagRuleHitsRow
  tag_rules: TagRulesRow
  tags: TagsRow
  timesheet_days: TimesheetDaysRow
  timesheet_versions: TimesheetVersionsRow
  trade_invoice_lines: TradeInvoiceLinesRow
  trade_invoice_parcels: TradeInvoiceParcelsRow
  trade_invoices: TradeInvoicesRow
  user_badges: UserBadgesRow
  user_group_members: UserGroupMembersRow
  user_groups: UserGroupsRow
  user_identities: UserIdentitiesRow
  user_passkeys: UserPasskeysRow
  user_pins: UserPinsRow
  user_totp: UserTotpRow
  users: UsersRow
  video_shares: VideoSharesRow
  video_uploads: VideoUploadsRow
  video_views: VideoViewsRow
  wagon_types: WagonTypesRow
  warehouse_map_results: WarehouseMapResultsRow
  warehouse_maps: WarehouseMapsRow
  webhook_bodies: WebhookBodiesRow
  webhooks: WebhooksRow
  week_templates: WeekTemplatesRow
  work_daily: WorkDailyRow
  work_days_counted: WorkDaysCountedRow
  working_time_rules: WorkingTimeRulesRow
}

/** The scope that row-level security gives a table: its company, its operator, or none. */
export const tenantScopeByTable = {
  access_log: 'company',
  activity_days: 'company',
  activity_hours: 'company',
  additional_products: 'operator',
  announcement_agreements: 'company',
  announcement_versions: 'company',
  announcements: 'company',
  approval_requests: 'company',
  approval_rules: 'company',
  bin_counts: 'company',
  block_dates: 'company',
  board_tokens: 'company',
  bulk_invoice_configs: 'company',
  bulk_invoice_skips: 'company',
  bulk_job_rows: 'company',
  bulk_jobs: 'company',
  calendar_links: 'company',
  campaign_days: 'company',
  campaign_images: 'company',
  campaign_views: 'company',
  campaigns: 'company',
  claim_rules: 'company',
  claims: 'company',
  cms_keys: 'company',
  collect_cages: 'operator',
  collect_lists: 'operator',
  collect_parcels: 'company',
  collect_scans: 'operator',
  companies: 'company',
  company_exports: 'company',
  connection_log: 'company',
  counter_checks: 'company',
  courier_event_settings: 'company',
  courier_methods: 'company',
  courier_postcodes: 'operator',
  courier_prices: 'company',
  courier_settings: 'company',
  courier_webhooks: 'company',
  crate_baskets: 'company',
  crate_choices: 'company',
  crate_rules: 'company',
  crate_suggestions: 'company',
  crate_types: 'operator',
  customer_backfills: 'company',
  customer_changes: 'company',
  customer_companies: 'company',
  customer_flags: 'company',
  customer_lookups: 'operator',
  customer_merges: 'operator',
  customer_notes: 'company',
  customer_suggestions: 'operator',
  customer_tags: 'company',
  customer_words: 'company',
  customers: 'operator',
  customs_numbers: 'company',
  deadline_alarm_settings: 'company',
  deadline_alarms: 'operator',
  deadline_counts: 'company',
  deadline_days: 'operator',
  deadline_points: 'operator',
  deadlines: 'operator',
  decision_links: 'company',
  employee_cpr: 'company',
  employees: 'company',
  erasures: 'company',
  event_personal: 'company',
  events: 'company',
  exchange_rates: 'operator',
  file_sizes: 'company',
  file_subjects: 'company',
  files: 'company',
  holiday_overrides: 'company',
  import_mappings: 'company',
  invoice_deliveries: 'company',
  invoice_queue: 'company',
  invoice_queue_counts: 'company',
  jobs: 'company',
  kiosk_rejects: 'company',
  label_log: 'company',
  label_log_personal: 'company',
  leave_ledger: 'company',
  mail_accounts: 'company',
  manual_rates: 'company',
  message_bodies: 'company',
  message_groups: 'company',
  message_opt_outs: 'company',
  message_reports: 'company',
  message_settings: 'company',
  message_templates: 'company',
  messages: 'company',
  method_rules: 'company',
  number_series: 'company',
  operator_defaults: 'operator',
  operators: 'none',
  order_additions: 'company',
  order_alert_hits: 'company',
  order_alert_settings: 'operator',
  order_alerts: 'operator',
  order_comments: 'company',
  order_count_changes: 'company',
  order_count_checks: 'company',
  order_counts: 'company',
  order_exports: 'company',
  order_imports: 'company',
  order_lines: 'company',
  order_locks: 'company',
  order_serials: 'company',
  order_status_histories: 'company',
  order_tags: 'company',
  order_words: 'company',
  orders: 'company',
  outbox: 'company',
  outbox_deliveries: 'company',
  outbox_destinations: 'company',
  outbox_objects: 'operator',
  packing_exceptions: 'company',
  packing_photos: 'company',
  packing_scans: 'company',
  packing_sessions: 'company',
  packing_videos: 'company',
  paperless_batches: 'operator',
  paperless_codes: 'operator',
  parcel_lines: 'company',
  parcel_shop_lists: 'operator',
  parcel_shop_replacement: 'company',
  parcel_shops: 'operator',
  parcel_weights: 'company',
  partial_shipments: 'company',
  password_links: 'company',
  pay_export_lines: 'company',
  pay_exports: 'company',
  pay_lists: 'company',
  pay_periods: 'company',
  pay_rules: 'company',
  pay_settings: 'company',
  pay_terms: 'company',
  pick_lines: 'company',
  pick_lists: 'operator',
  pick_scans: 'operator',
  pick_shorts: 'company',
  pick_slots: 'company',
  pick_wagon_people: 'operator',
  pick_wagons: 'operator',
  pickups: 'company',
  portal_links: 'company',
  portal_photos: 'company',
  predefined_addresses: 'company',
  price_surcharges: 'company',
  price_zones: 'company',
  print_agents: 'company',
  print_jobs: 'company',
  printer_alerts: 'company',
  printer_commands: 'company',
  printer_outages: 'company',
  printer_self_tests: 'company',
  printers: 'company',
  product_barcodes: 'company',
  product_components: 'company',
  product_links: 'operator',
  product_tags: 'company',
  products: 'company',
  punch_notes: 'company',
  punch_versions: 'company',
  punches: 'company',
  put_backs: 'company',
  recorder_keys: 'company',
  refund_proposals: 'company',
  retired_secrets: 'company',
  return_files: 'company',
  return_items: 'company',
  return_parcels: 'company',
  return_portal_offers: 'company',
  return_reasons: 'company',
  return_rule_sets: 'company',
  returns: 'company',
  rma_languages: 'company',
  saved_views: 'company',
  schedule_changes: 'company',
  schedule_entries: 'company',
  schedule_notes: 'company',
  secrets: 'company',
  serial_rule_products: 'company',
  serial_rules: 'company',
  serial_units: 'company',
  sessions: 'company',
  setting_changes: 'company',
  shift_offers: 'company',
  shift_templates: 'company',
  shipment_customs: 'company',
  shipment_documents: 'company',
  shipment_events: 'company',
  shipment_exceptions: 'company',
  shipment_lines: 'company',
  shipment_parties: 'company',
  shipment_prices: 'company',
  shipments: 'company',
  shipping_methods: 'company',
  shop_connections: 'company',
  shop_deliveries: 'company',
  shop_refs: 'company',
  sign_in_challenges: 'company',
  sign_in_providers: 'company',
  sms_accounts: 'company',
  station_printers: 'company',
  station_self_tests: 'company',
  stations: 'operator',
  statistics_results: 'operator',
  tag_rule_hits: 'company',
  tag_rules: 'company',
  tags: 'company',
  timesheet_days: 'company',
  timesheet_versions: 'company',
  trade_invoice_lines: 'company',
  trade_invoice_parcels: 'company',
  trade_invoices: 'company',
  user_badges: 'company',
  user_group_members: 'company',
  user_groups: 'company',
  user_identities: 'company',
  user_passkeys: 'company',
  user_pins: 'company',
  user_totp: 'company',
  users: 'company',
  video_shares: 'company',
  video_uploads: 'company',
  video_views: 'company',
  wagon_types: 'operator',
  warehouse_map_results: 'operator',
  warehouse_maps: 'operator',
  webhook_bodies: 'company',
  webhooks: 'company',
  week_templates: 'company',
  work_daily: 'company',
  work_days_counted: 'company',
  working_time_rules: 'company',
} as const satisfies Record<keyof DB, 'company' | 'operator' | 'none'>
