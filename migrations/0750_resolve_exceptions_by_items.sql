-- What becomes of the missing items of an exception: picked again, sent later, or cancelled.
alter table packing_exceptions drop constraint packing_exceptions_resolution_check;
alter table packing_exceptions add constraint packing_exceptions_resolution_check check (resolution in
  ('solved', 'back_to_queue', 'refill', 'ship_partial', 'cancel_lines', 'label_booked', 'packed', 'order_cancelled')) not valid;
