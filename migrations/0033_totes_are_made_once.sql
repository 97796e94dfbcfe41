-- What somebody asked for under one key: asked again after a lost answer, the same codes are printed and no further ones made.
create table paperless_batches (
  operator_id bigint not null default scope_operator(),
  key uuid not null,
  -- Digits after PP.
  digits text[] not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  primary key (operator_id, key)
);
call wall('paperless_batches', 'operator');

-- Tasks that are done are read by their newest.
create index pick_shorts_newest on pick_shorts (operator_id, id desc);
create index bin_counts_newest on bin_counts (operator_id, id desc);
create index put_backs_newest on put_backs (operator_id, id desc);
create index pick_shorts_of_bin on pick_shorts (operator_id, company_id, bin) where decided_at is null;
create index put_backs_of_slot on put_backs (operator_id, pick_list_id, wagon_no, slot_no) where done_at is null;
