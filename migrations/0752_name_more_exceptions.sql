-- A label refused for its customs data, a weight that no one has taken, and an order that no box fits are kinds of their own.
alter table packing_exceptions drop constraint packing_exceptions_kind_check;
alter table packing_exceptions add constraint packing_exceptions_kind_check check (kind in
  ('label_error', 'customs', 'short', 'damaged', 'wrong_item', 'address', 'weight', 'no_crate', 'other')) not valid;
