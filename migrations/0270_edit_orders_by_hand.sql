-- Orders that are edited, split, copied and written here.
alter table orders
  -- When a person first changed its items here; what the shop sends from then on is not taken over by itself.
  add edited_at timestamptz,
  -- The order of which it is a part, and which part; the order itself is part 1.
  add split_of bigint,
  add part_no smallint not null default 1 check (part_no between 1 and 20),
  -- The order that it replaces, and why.
  add replacement_of bigint,
  add replacement_reason text check (length(replacement_reason) <= 200);
create index orders_split_of on orders (operator_id, split_of) where split_of is not null;
create index orders_replacement_of on orders (operator_id, replacement_of) where replacement_of is not null;

alter table order_lines
  -- What the shop ordered, from the first edit here on; 0 for a line that was added here.
  add shop_qty integer check (shop_qty >= 0),
  -- The line of the whole order that a part took its pieces from.
  add split_from_line_id bigint;
