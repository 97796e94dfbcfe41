-- Packing, parcels, shipments, labels, printers and what is printed.

create table paperless_codes (
  operator_id bigint not null default scope_operator(),
  id bigint generated always as identity,
  -- The digits after PP.
  digits text not null,
  order_company_id bigint,
  order_id bigint,
  bound_at timestamptz,
  primary key (operator_id, id)
);
create unique index paperless_codes_digits on paperless_codes (operator_id, digits);
create index paperless_codes_of_order on paperless_codes (operator_id, order_id) where order_id is not null;
call wall('paperless_codes', 'operator');

-- The specification's order_overview_id is this session's id.
create table packing_sessions (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  order_id bigint not null,
  user_id bigint not null,
  user_name text not null,
  station text not null,
  state text not null default 'open' check (state in ('open', 'closing', 'labelling', 'label_error', 'label_check', 'parked', 'done', 'aborted')),
  parcel_no integer not null default 1,
  parked_reason text,
  -- What becomes of the pieces that were not packed when it was closed.
  rest text check (rest in ('backorder', 'cancel', 'hold')),
  opened_at timestamptz not null default now(),
  last_scan_at timestamptz not null default now(),
  ended_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, order_id) references orders on delete cascade
);
-- One order is open at one station.
create unique index packing_sessions_one_open on packing_sessions (operator_id, order_id) where ended_at is null;
create index packing_sessions_at_station on packing_sessions (operator_id, station) where ended_at is null;
create index packing_sessions_of_order on packing_sessions (operator_id, order_id, id);
call wall('packing_sessions');

create table packing_scans (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  -- Made by the station: the same scan sent again is answered again, not counted again.
  id uuid not null,
  session_id bigint not null,
  order_id bigint not null,
  raw text not null,
  result text not null,
  order_line_id bigint,
  product_id bigint,
  quantity integer not null default 0,
  serial text,
  method text not null default 'scan' check (method in ('scan', 'manual', 'bypass', 'camera')),
  parcel_no integer not null default 1,
  user_id bigint,
  station text not null,
  at timestamptz not null default clock_timestamp(),
  undone_by uuid,
  -- What was answered, so that a repeat hears the same.
  answer jsonb not null default '{}',
  primary key (operator_id, id),
  foreign key (operator_id, session_id) references packing_sessions on delete cascade
);
create index packing_scans_of_session on packing_scans (operator_id, session_id, at);
call wall('packing_scans');

create table order_serials (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  order_id bigint not null,
  order_line_id bigint not null,
  sku_key text not null,
  serial text not null,
  session_id bigint,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  returned_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, order_line_id) references order_lines on delete cascade
);
-- A serial leaves the house once, unless it came back.
create unique index order_serials_once on order_serials (operator_id, company_id, sku_key, serial) where removed_at is null and returned_at is null;
create index order_serials_of_order on order_serials (operator_id, order_id);
call wall('order_serials');

create table shipping_methods (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  agent_code text not null,
  shipping_method text not null,
  type text not null default 'parcel',
  name text not null,
  active boolean not null default true,
  check_tracking_and_trace boolean not null default false,
  -- What a shop's own shipping codes mean: orders with one of these go by this method.
  shop_codes text[] not null default '{}',
  packing_text text,
  image_file_id bigint,
  documents text[] not null default '{label}',
  version integer not null default 1,
  primary key (operator_id, company_id, agent_code, shipping_method)
);
call wall('shipping_methods');

create table courier_settings (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  agent_code text not null,
  settings jsonb not null default '{}',
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (operator_id, company_id, agent_code)
);
call wall('courier_settings');

create table shipments (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  order_id bigint not null,
  session_id bigint,
  parcel_no integer not null default 1,
  -- A second live label of one parcel needs an explicit extra parcel.
  attempt integer not null default 1,
  agent_code text not null,
  shipping_method text not null,
  operation_code text not null default 'outbound' check (operation_code in ('outbound', 'return')),
  state text not null default 'draft' check (state in ('draft', 'booking', 'unknown', 'booked', 'handed_over', 'in_transit', 'out_for_delivery',
    'ready_for_pickup', 'delivered', 'delivery_failed', 'needs_attention', 'returning', 'returned_to_sender', 'lost', 'cancelled', 'barred', 'error')),
  -- The committed intent: what is sent to the courier, under which key, and until when this attempt holds the lease.
  idempotency_key text not null,
  reference text not null,
  reserved_number text,
  request jsonb not null default '{}',
  leased_until timestamptz,
  -- Where the label comes out once it is there, whoever finishes the booking.
  station text,
  label_printer_id bigint,
  a4_printer_id bigint,
  tracking_no text,
  barcode text,
  label_pdf_file_id bigint,
  label_a4_file_id bigint,
  label_zpl_file_id bigint,
  weight_g integer not null default 0,
  error text,
  error_field text,
  error_kind text,
  booked_at timestamptz,
  handed_over_at timestamptz,
  delivered_at timestamptz,
  cancelled_at timestamptz,
  cancel_answers jsonb,
  created_by bigint,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, order_id) references orders on delete cascade
);
create unique index shipments_one_live on shipments (operator_id, order_id, parcel_no, operation_code) where state not in ('cancelled', 'barred', 'draft', 'error');
create unique index shipments_key on shipments (operator_id, idempotency_key);
create index shipments_of_order on shipments (operator_id, order_id, id);
create index shipments_barcode on shipments (operator_id, barcode) where barcode is not null;
create index shipments_tracking on shipments (operator_id, tracking_no) where tracking_no is not null;
create index shipments_in_doubt on shipments (leased_until) where state in ('booking', 'unknown');
create index shipments_newest on shipments (operator_id, company_id, id desc);
call wall('shipments');

create table parcel_lines (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  order_id bigint not null,
  parcel_no integer not null,
  order_line_id bigint not null,
  qty integer not null check (qty >= 0),
  primary key (operator_id, order_id, parcel_no, order_line_id),
  foreign key (operator_id, order_line_id) references order_lines on delete cascade
);
call wall('parcel_lines');

create table shipment_events (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  shipment_id bigint not null,
  order_id bigint not null,
  state text not null,
  at timestamptz not null default now(),
  place text,
  text text not null default '',
  source text not null default 'own',
  user_id bigint,
  primary key (operator_id, id),
  foreign key (operator_id, shipment_id) references shipments on delete cascade
);
create index shipment_events_of_shipment on shipment_events (operator_id, shipment_id, at);
call wall('shipment_events');

-- Every exchange with a courier, secrets removed.
create table label_log (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  shipment_id bigint,
  order_id bigint,
  agent_code text not null,
  action text not null,
  outcome text not null check (outcome in ('ok', 'refused', 'unavailable', 'unknown', 'found', 'not_found')),
  request jsonb,
  response jsonb,
  error text,
  took_ms integer,
  user_id bigint,
  created_at timestamptz not null default now(),
  primary key (operator_id, id)
);
create index label_log_newest on label_log (operator_id, company_id, id desc);
create index label_log_of_order on label_log (operator_id, order_id, id);
call wall('label_log');

create table printers (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  kind text not null check (kind in ('printnode', 'file')),
  remote_id text not null,
  name text not null,
  description text not null default '',
  computer text not null default '',
  state text not null default 'online',
  papers jsonb not null default '{}',
  raw boolean not null default false,
  fallback_printer_id bigint,
  seen_at timestamptz not null default now(),
  last_print_at timestamptz,
  primary key (operator_id, id)
);
create unique index printers_remote on printers (operator_id, company_id, kind, remote_id);
call wall('printers');

create table print_jobs (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  printer_id bigint not null,
  -- Whose printer it is: main-company printers print other companies' labels.
  printer_company_id bigint not null,
  station text,
  title text not null,
  document text not null,
  file_id bigint not null,
  format text not null check (format in ('pdf', 'zpl')),
  paper text,
  copy_no integer not null default 0,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'accepted', 'done', 'failed', 'expired', 'cancelled')),
  idempotency_key text not null,
  order_id bigint,
  shipment_id bigint,
  remote_job_id text,
  error text,
  attempts integer not null default 0,
  leased_until timestamptz,
  expires_at timestamptz not null,
  requested_by bigint,
  requested_by_name text,
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  finished_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, printer_id) references printers,
  foreign key (operator_id, file_id) references files
);
create unique index print_jobs_once on print_jobs (operator_id, idempotency_key);
create index print_jobs_newest on print_jobs (operator_id, company_id, id desc);
create index print_jobs_of_order on print_jobs (operator_id, order_id) where order_id is not null;
create index print_jobs_waiting on print_jobs (expires_at) where state in ('queued', 'sending', 'sent');
call wall('print_jobs');
