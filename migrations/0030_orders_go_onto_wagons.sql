-- From orders to wagons: maps of the warehouse, pick lists, totes, what picking leaves to decide, and the hand-over to couriers.
-- What concerns one order stands behind its company's wall; lists, wagons and maps belong to the operator.

create table warehouse_maps (
  operator_id bigint not null default scope_operator(),
  id bigint generated always as identity,
  title text not null,
  -- A `Drawing`, as the contract declares it.
  drawing jsonb not null,
  -- SHA-256 of what routes depend on: the same hash walks the same.
  hash text not null,
  version integer not null default 1,
  created_by text not null default 'system',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id)
);
create unique index warehouse_maps_title on warehouse_maps (operator_id, lower(title));
call wall('warehouse_maps', 'operator');

create table warehouse_map_results (
  operator_id bigint not null default scope_operator(),
  id bigint generated always as identity,
  map_id bigint not null,
  title text not null,
  state text not null default 'computing' check (state in ('computing', 'ready', 'active', 'superseded', 'failed')),
  map_hash text not null,
  -- The map as it was when this was computed: a result outlives changes of its map.
  drawing jsonb not null,
  -- Distances between all access cells, one binary file.
  file_id bigint,
  job_id bigint,
  cells integer,
  -- How it walks last week's lists, against the order by bin text and against the active result.
  quality jsonb not null default '{}',
  error text,
  created_by text not null default 'system',
  created_at timestamptz not null default now(),
  activated_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, map_id) references warehouse_maps,
  foreign key (operator_id, file_id) references files,
  foreign key (operator_id, job_id) references jobs
);
create unique index warehouse_map_results_one_active on warehouse_map_results (operator_id) where state = 'active';
create index warehouse_map_results_of_map on warehouse_map_results (operator_id, map_id, id desc);
call wall('warehouse_map_results', 'operator');

create table wagon_types (
  operator_id bigint not null default scope_operator(),
  id bigint generated always as identity,
  name text not null,
  rows integer not null check (rows between 1 and 12),
  columns integer not null check (columns between 1 and 12),
  -- Row by row from the top: [{colour, max_weight_g, max_volume_ml}]; null means no limit.
  slots jsonb not null,
  -- What the whole wagon may carry.
  max_weight_g integer check (max_weight_g > 0),
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (operator_id, id)
);
create unique index wagon_types_name on wagon_types (operator_id, lower(name));
call wall('wagon_types', 'operator');

create table pick_lists (
  operator_id bigint not null default scope_operator(),
  id bigint generated always as identity,
  type text not null check (type in ('cluster', 'singles', 'order')),
  state text not null default 'open' check (state in ('open', 'picking', 'picked', 'packing', 'completed', 'cancelled')),
  -- Which orders were asked for, as the call was sent.
  wave jsonb not null default '{}',
  -- The wagon type as it was: {id, name, rows, columns, slots, max_weight_g}.
  wagon_type jsonb not null,
  -- The map's result by which its routes were computed; null walks by bin.
  map_result_id bigint,
  order_count integer not null,
  line_count integer not null,
  piece_count integer not null,
  stop_count integer not null,
  -- Estimated; decimetres to walk now, and as the list was first made.
  walk_dm integer,
  first_walk_dm integer,
  estimated_s integer,
  job_id bigint,
  created_by bigint,
  created_by_name text not null default 'system',
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  cancelled_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, map_result_id) references warehouse_map_results,
  foreign key (operator_id, job_id) references jobs
);
create index pick_lists_newest on pick_lists (operator_id, id desc);
create index pick_lists_open on pick_lists (operator_id, id) where state in ('open', 'picking', 'picked', 'packing');
create index pick_lists_by_time on pick_lists (operator_id, created_at);
call wall('pick_lists', 'operator');

create table pick_wagons (
  operator_id bigint not null default scope_operator(),
  pick_list_id bigint not null,
  wagon_no integer not null check (wagon_no > 0),
  state text not null default 'open' check (state in ('open', 'claimed', 'picking', 'paused', 'picked', 'at_packing', 'released', 'cancelled')),
  user_id bigint,
  user_name text,
  walk_dm integer,
  estimated_s integer,
  claimed_at timestamptz,
  started_at timestamptz,
  last_at timestamptz,
  picked_at timestamptz,
  released_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, pick_list_id, wagon_no),
  foreign key (operator_id, pick_list_id) references pick_lists on delete cascade
);
create index pick_wagons_waiting on pick_wagons (operator_id, pick_list_id, wagon_no) where state in ('open', 'claimed', 'picking', 'paused', 'picked');
create index pick_wagons_of_user on pick_wagons (operator_id, user_id) where state in ('claimed', 'picking', 'paused');
call wall('pick_wagons', 'operator');

-- One order stands in one slot of one living list, whoever else wants it.
create table pick_slots (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  pick_list_id bigint not null,
  wagon_no integer not null,
  slot_no integer not null check (slot_no > 0),
  order_id bigint not null,
  -- open: to be picked · picked: all its lines are decided · removed: the order left the list (cancelled, held, taken off) · packed.
  state text not null default 'open' check (state in ('open', 'picked', 'removed', 'packed')),
  weight_g integer not null default 0,
  volume_ml integer not null default 0,
  -- False once it no longer claims its order: the list was cancelled, the order removed or packed.
  live boolean not null default true,
  primary key (operator_id, pick_list_id, wagon_no, slot_no),
  foreign key (operator_id, pick_list_id, wagon_no) references pick_wagons on delete cascade,
  foreign key (operator_id, order_id) references orders on delete cascade
);
create unique index pick_slots_one_live on pick_slots (operator_id, order_id) where live;
create index pick_slots_of_order on pick_slots (operator_id, order_id);
call wall('pick_slots');

create table pick_lines (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  pick_list_id bigint not null,
  wagon_no integer not null,
  slot_no integer not null,
  order_id bigint not null,
  order_line_id bigint not null,
  product_id bigint,
  sku text,
  name text not null,
  variant text,
  bin text,
  -- Place on the walk, 1, 2, 3 …; lines of one stop follow each other. Recomputed from here after a skip.
  walk_no integer not null,
  -- Access cell in the map's result; null where the bin is not on the map.
  cell integer,
  asked integer not null check (asked > 0),
  picked integer not null default 0 check (picked between 0 and asked),
  -- skipped is open, but last; gone: the order was cancelled, held or taken off meanwhile.
  state text not null default 'open' check (state in ('open', 'skipped', 'picked', 'short', 'gone')),
  skips integer not null default 0,
  taken_by bigint,
  taken_by_name text,
  decided_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, pick_list_id, wagon_no) references pick_wagons on delete cascade,
  foreign key (operator_id, order_line_id) references order_lines on delete cascade
);
create index pick_lines_of_wagon on pick_lines (operator_id, pick_list_id, wagon_no, walk_no);
create index pick_lines_of_order on pick_lines (operator_id, order_id);
create index pick_lines_open_of_bin on pick_lines (operator_id, bin) where state in ('open', 'skipped');
call wall('pick_lines');

-- Everything that a picker's phone sent, once: the journal from which undo, statistics and answers to repeats come.
create table pick_scans (
  operator_id bigint not null default scope_operator(),
  -- Made by the phone: the same again is answered again, not done again.
  id uuid not null,
  pick_list_id bigint not null,
  wagon_no integer not null,
  pick_line_id bigint,
  order_id bigint,
  order_company_id bigint,
  kind text not null check (kind in ('claim', 'bin', 'product', 'pick', 'skip', 'short', 'damaged', 'full', 'zero_check', 'undo', 'pause', 'resume', 'hand_over', 'wrong', 'done')),
  raw text not null default '',
  result text not null,
  quantity integer not null default 0,
  user_id bigint not null,
  user_name text not null,
  -- By the phone's clock, mended by what it knows of the server's, and when it arrived.
  at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  undone_by uuid,
  answer jsonb not null default '{}',
  primary key (operator_id, id),
  foreign key (operator_id, pick_list_id, wagon_no) references pick_wagons on delete cascade
);
create index pick_scans_of_wagon on pick_scans (operator_id, pick_list_id, wagon_no, at);
create index pick_scans_by_time on pick_scans (operator_id, at);
call wall('pick_scans', 'operator');

alter table paperless_codes
  -- Reserved for a slot of a wagon; bound with `order_id` as well.
  add column pick_list_id bigint,
  add column wagon_no integer,
  add column slot_no integer,
  add column reserved_at timestamptz,
  add column at_packing_at timestamptz,
  add column lost_at timestamptz,
  add column printed_at timestamptz,
  add column created_at timestamptz not null default now(),
  add column version integer not null default 1,
  add column state text not null generated always as (case
    when lost_at is not null then 'lost'
    when order_id is not null and at_packing_at is not null then 'at_packing'
    when order_id is not null then 'bound'
    when pick_list_id is not null then 'reserved'
    else 'free' end) stored;
create index paperless_codes_of_wagon on paperless_codes (operator_id, pick_list_id, wagon_no, slot_no) where pick_list_id is not null;
create index paperless_codes_free on paperless_codes (operator_id, (length(digits)), digits) where lost_at is null and order_id is null and pick_list_id is null;

-- What became of pieces that were not there: one decision per short line, made by a person or by the wave's rule.
create table pick_shorts (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  order_id bigint not null,
  order_line_id bigint not null,
  pick_line_id bigint,
  pick_list_id bigint,
  wagon_no integer,
  sku text,
  name text not null,
  bin text,
  quantity integer not null check (quantity > 0),
  reason text not null check (reason in ('not_there', 'damaged', 'wrong_label', 'expired', 'other')),
  note text not null default '',
  photo_file_id bigint,
  reported_by text not null,
  reported_at timestamptz not null default now(),
  decision text check (decision in ('wait', 'ship_partial', 'ask_customer', 'cancel_line', 'found')),
  decided_by text,
  decided_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, photo_file_id) references files
);
create index pick_shorts_open on pick_shorts (operator_id, reported_at) where decided_at is null;
create index pick_shorts_of_order on pick_shorts (operator_id, order_id);
call wall('pick_shorts');

-- A bin that somebody has to count; while `blocks` holds nothing is sent there to pick.
create table bin_counts (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  bin text not null,
  product_id bigint,
  sku text,
  name text not null default '',
  reason text not null check (reason in ('short', 'damaged', 'zero_check', 'asked')),
  blocks boolean not null default false,
  asked_by text not null,
  asked_at timestamptz not null default now(),
  counted integer check (counted >= 0),
  note text not null default '',
  done_by text,
  done_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, id)
);
create index bin_counts_open on bin_counts (operator_id, bin) where done_at is null;
create unique index bin_counts_one_open on bin_counts (operator_id, company_id, bin, coalesce(product_id, 0)) where done_at is null;
call wall('bin_counts');

-- Pieces that lie in a tote or on a wagon and belong back into a bin.
create table put_backs (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  id bigint generated always as identity,
  order_id bigint not null,
  order_line_id bigint not null,
  pick_list_id bigint,
  wagon_no integer,
  slot_no integer,
  product_id bigint,
  sku text,
  name text not null,
  bin text,
  quantity integer not null check (quantity > 0),
  done integer not null default 0,
  reason text not null check (reason in ('order_cancelled', 'list_cancelled', 'order_removed', 'short')),
  created_at timestamptz not null default now(),
  done_by text,
  done_at timestamptz,
  version integer not null default 1,
  primary key (operator_id, id),
  check (done between 0 and quantity),
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index put_backs_open on put_backs (operator_id, created_at) where done_at is null;
create index put_backs_of_order on put_backs (operator_id, order_id);
call wall('put_backs');

-- A place where a courier's parcels wait: couriers and the routes of one courier each have their own.
create table collect_cages (
  operator_id bigint not null default scope_operator(),
  id bigint generated always as identity,
  agent_code text not null,
  -- Which of the courier's methods go here; empty takes what no other cage of the courier takes.
  methods text[] not null default '{}',
  name text not null,
  colour text,
  -- Local time of the day at which the courier comes, and on which days (1 is Monday).
  cut_off text check (cut_off ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  days integer[] not null default '{1,2,3,4,5}',
  active boolean not null default true,
  version integer not null default 1,
  primary key (operator_id, id)
);
create unique index collect_cages_name on collect_cages (operator_id, agent_code, lower(name));
call wall('collect_cages', 'operator');

create table collect_lists (
  operator_id bigint not null default scope_operator(),
  id bigint generated always as identity,
  agent_code text not null,
  cage_id bigint,
  cage_name text not null default '',
  state text not null default 'open' check (state in ('open', 'scanning', 'closed', 'handed_over')),
  cut_off_at timestamptz,
  expected_count integer not null default 0,
  scanned_count integer not null default 0,
  missing_count integer not null default 0,
  weight_g bigint not null default 0,
  created_by bigint,
  created_by_name text not null default 'system',
  created_at timestamptz not null default now(),
  closed_by_name text,
  closed_at timestamptz,
  -- Who took the parcels, as the driver said it.
  handed_to text,
  handed_over_by_name text,
  handed_over_at timestamptz,
  reopened_at timestamptz,
  reopen_note text,
  version integer not null default 1,
  primary key (operator_id, id),
  foreign key (operator_id, cage_id) references collect_cages
);
create index collect_lists_newest on collect_lists (operator_id, id desc);
create unique index collect_lists_one_running on collect_lists (operator_id, agent_code, coalesce(cage_id, 0)) where state in ('open', 'scanning');
call wall('collect_lists', 'operator');

create table collect_parcels (
  operator_id bigint not null default scope_operator(),
  company_id bigint not null default scope_company(),
  collect_list_id bigint not null,
  shipment_id bigint not null,
  order_id bigint not null,
  state text not null default 'expected' check (state in ('expected', 'scanned', 'missing', 'taken_out')),
  reason text check (reason in ('not_found', 'damaged', 'next_pickup', 'cancelled', 'stopped')),
  scanned_by_name text,
  scanned_at timestamptz,
  -- False once the parcel may go onto another list.
  live boolean not null default true,
  primary key (operator_id, collect_list_id, shipment_id),
  foreign key (operator_id, collect_list_id) references collect_lists on delete cascade,
  foreign key (operator_id, shipment_id) references shipments on delete cascade
);
create unique index collect_parcels_one_live on collect_parcels (operator_id, shipment_id) where live;
create index collect_parcels_of_list on collect_parcels (operator_id, collect_list_id, state);
call wall('collect_parcels');

create table collect_scans (
  operator_id bigint not null default scope_operator(),
  id uuid not null,
  collect_list_id bigint not null,
  raw text not null,
  result text not null,
  shipment_id bigint,
  user_id bigint not null,
  at timestamptz not null default clock_timestamp(),
  answer jsonb not null default '{}',
  primary key (operator_id, id),
  foreign key (operator_id, collect_list_id) references collect_lists on delete cascade
);
create index collect_scans_of_list on collect_scans (operator_id, collect_list_id, at);
call wall('collect_scans', 'operator');

-- Handed over, and no scan of the courier within a day: somebody should ask.
create index shipments_unscanned on shipments (handed_over_at) where state = 'handed_over';
create index shipments_to_collect on shipments (operator_id, agent_code, id) where state = 'booked' and operation_code = 'outbound';

-- Answers of long questions, kept for a while under a number.
create table statistics_results (
  operator_id bigint not null default scope_operator(),
  id bigint generated always as identity,
  kind text not null,
  question jsonb not null,
  answer jsonb not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  primary key (operator_id, id)
);
create index statistics_results_newest on statistics_results (operator_id, kind, id desc);
call wall('statistics_results', 'operator');
