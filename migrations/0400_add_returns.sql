-- Returns: what customers send back. One row for each piece; where a piece is and what becomes of its money are two states.
create table returns (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- The client's own id: sent again, it gets the same answer.
  client_id uuid,
  -- R and seven digits.
  rma_no text not null check (length(rma_no) <= 20),
  -- Null until a parcel that no one announced is linked to its order.
  order_id bigint,
  shop text not null default '' check (length(shop) <= 64),
  source text not null check (source in ('portal', 'desk', 'undelivered', 'orphan')),
  -- Follows from the pieces; set in one file only.
  status text not null check (status in ('requested', 'approved', 'rejected', 'cancelled', 'expired', 'in_transit', 'arrived', 'awaiting_review', 'decided', 'resolved')),
  -- Why no piece of it counts any more, if so.
  ended_as text check (ended_as in ('rejected', 'cancelled', 'expired')),
  language text not null default 'en_GB' check (length(language) <= 5),
  method text not null check (method in ('label', 'qr', 'own_label', 'bring', 'none')),
  withdrawal boolean not null default false,
  -- The notice of a withdrawal, and the day by which its money is due.
  noticed_at timestamptz,
  refund_due_at timestamptz,
  requested_at timestamptz not null default now(),
  approved_at timestamptz,
  -- A return that was not sent by then ends.
  expires_at timestamptz,
  in_transit_at timestamptz,
  arrived_at timestamptz,
  decided_at timestamptz,
  resolved_at timestamptz,
  -- How the customer is reached and what they wrote; the order number as they wrote it. An erasure empties them.
  contact_name text check (length(contact_name) <= 120),
  contact_email text check (length(contact_email) <= 254),
  contact_phone text check (length(contact_phone) <= 40),
  claimed_order_no text check (length(claimed_order_no) <= 60),
  note text check (length(note) <= 2000),
  -- Why it was rejected, cancelled or opened again, as staff wrote it.
  reason text check (length(reason) <= 500),
  -- Where a parcel without a return lies.
  shelf text check (length(shelf) <= 40),
  currency text not null check (length(currency) = 3),
  -- Minor units; taken once.
  fee bigint not null default 0 check (fee >= 0),
  created_by text not null default '' check (length(created_by) <= 120),
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders
);
create unique index returns_rma_no on returns (operator_id, company_id, rma_no);
create unique index returns_client on returns (operator_id, company_id, client_id) where client_id is not null;
create index returns_newest on returns (operator_id, company_id, id desc);
create index returns_by_status on returns (operator_id, company_id, status, id desc);
create index returns_of_order on returns (operator_id, order_id) where order_id is not null;
create index returns_to_expire on returns (operator_id, expires_at) where status = 'approved';
call enable_tenant_rls('returns');

create table refund_proposals (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  return_id bigint not null,
  no integer not null,
  kind text not null check (kind in ('refund', 'credit')),
  -- [{item_id, sku, name, amount}].
  lines jsonb not null,
  -- Minor units.
  goods bigint not null check (goods >= 0),
  delivery bigint not null default 0 check (delivery >= 0),
  fee bigint not null default 0 check (fee >= 0),
  deduction bigint not null default 0 check (deduction >= 0),
  total bigint not null check (total >= 0),
  currency text not null check (length(currency) = 3),
  -- What the shop reads about it.
  note text not null default '' check (length(note) <= 500),
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'denied', 'in_doubt')),
  proposed_at timestamptz not null default now(),
  proposed_by text not null check (length(proposed_by) <= 120),
  -- The reference of the shop's refund: the same again changes nothing.
  shop_ref text check (length(shop_ref) <= 100),
  -- What the shop says it paid, where that differs.
  paid bigint check (paid >= 0),
  answered_at timestamptz,
  answered_by text check (length(answered_by) <= 120),
  reason text check (length(reason) <= 500),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, return_id) references returns,
  check (total = goods + delivery - fee - deduction)
);
create unique index refund_proposals_of_return on refund_proposals (operator_id, return_id, no);
create index refund_proposals_of_company on refund_proposals (operator_id, company_id, id desc);
create index refund_proposals_open on refund_proposals (operator_id, company_id, return_id) where state in ('proposed', 'in_doubt');
call enable_tenant_rls('refund_proposals');

create table return_items (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  return_id bigint not null,
  order_line_id bigint,
  product_id bigint,
  sku text check (length(sku) <= 120),
  name text not null check (length(name) <= 500),
  -- Which piece of the line it is, counted from 1.
  piece_no integer not null default 1 check (piece_no between 1 and 1000000),
  reason_code text check (length(reason_code) <= 40),
  reason_note text check (length(reason_note) <= 500),
  outcome text not null default 'refund' check (outcome in ('refund', 'exchange', 'credit', 'repair')),
  exchange_product_id bigint,
  -- It lay in the parcel although no one announced it.
  unannounced boolean not null default false,
  custody text not null check (custody in ('advised', 'in_transit', 'received', 'added', 'inspected', 'restocked', 'scrapped', 'sent_back', 'repaired', 'kept', 'missing', 'cancelled', 'rejected', 'expired')),
  money text not null default 'none' check (money in ('none', 'pending', 'proposed', 'confirmed', 'denied', 'in_doubt')),
  condition text check (condition in ('A', 'B', 'C', 'scrap')),
  -- What the desk found to be the reason.
  reason_seen text check (length(reason_seen) <= 40),
  serial text check (length(serial) <= 120),
  serial_check text check (serial_check in ('right', 'wrong', 'accepted', 'unreadable')),
  inspected_at timestamptz,
  inspected_by text check (length(inspected_by) <= 120),
  inspect_note text check (length(inspect_note) <= 500),
  decision text check (decision in ('restock', 'scrap', 'send_back', 'repair', 'keep')),
  decided_at timestamptz,
  decided_by text check (length(decided_by) <= 120),
  bin text check (length(bin) <= 40),
  put_back_id bigint,
  -- What was paid for the piece, in minor units.
  amount bigint not null default 0 check (amount >= 0),
  deduction bigint not null default 0 check (deduction >= 0),
  proposal_id bigint,
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, return_id) references returns,
  foreign key (operator_id, order_line_id) references order_lines,
  foreign key (operator_id, proposal_id) references refund_proposals
);
create index return_items_of_return on return_items (operator_id, return_id, id);
create index return_items_of_company on return_items (operator_id, company_id, id desc);
create index return_items_of_line on return_items (operator_id, order_line_id) where order_line_id is not null;
create index return_items_by_serial on return_items (operator_id, company_id, upper(serial)) where serial is not null;
-- A piece is in one return only, unless that return has let it go.
create unique index return_items_piece on return_items (operator_id, order_line_id, piece_no)
  where order_line_id is not null and custody not in ('cancelled', 'rejected', 'expired', 'missing', 'sent_back');
call enable_tenant_rls('return_items');

create table return_parcels (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  return_id bigint not null,
  -- The label, where we booked it.
  shipment_id bigint,
  -- Letters and digits of the tracking number, in capitals.
  tracking_key text check (length(tracking_key) <= 100),
  agent_code text check (length(agent_code) <= 64),
  weight_g integer check (weight_g between 0 and 1000000),
  arrived_at timestamptz,
  arrived_by text check (length(arrived_by) <= 120),
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, return_id) references returns,
  foreign key (operator_id, shipment_id) references shipments
);
create index return_parcels_of_return on return_parcels (operator_id, return_id, id);
create index return_parcels_of_company on return_parcels (operator_id, company_id);
create index return_parcels_by_tracking on return_parcels (operator_id, company_id, tracking_key) where tracking_key is not null;
create unique index return_parcels_of_shipment on return_parcels (operator_id, shipment_id) where shipment_id is not null;
call enable_tenant_rls('return_parcels');

create table return_files (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  return_id bigint not null,
  file_id bigint not null,
  item_id bigint,
  kind text not null check (kind in ('customer', 'arrival', 'condition', 'paper')),
  created_at timestamptz not null default now(),
  created_by text not null default '' check (length(created_by) <= 120),
  primary key (operator_id, return_id, file_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, return_id) references returns,
  foreign key (operator_id, file_id) references files,
  foreign key (operator_id, item_id) references return_items
);
create index return_files_of_company on return_files (operator_id, company_id);
create index return_files_of_file on return_files (operator_id, file_id);
call enable_tenant_rls('return_files');

-- What a company changes of the reasons that the product knows, and reasons of its own.
create table return_reasons (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  code text not null check (length(code) between 1 and 40),
  -- By language; an absent one is the product's own.
  words jsonb not null default '{}',
  evidence_text text not null default 'optional' check (evidence_text in ('off', 'optional', 'required')),
  evidence_photo text not null default 'optional' check (evidence_photo in ('off', 'optional', 'required')),
  fault text not null check (fault in ('shop', 'customer', 'courier')),
  position integer not null default 0,
  active boolean not null default true,
  version integer not null default 1,
  primary key (operator_id, company_id, code),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('return_reasons');
