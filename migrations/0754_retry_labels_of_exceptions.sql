-- The refused label of an exception is tried again from the exception itself: who asked for it, until the courier has answered.
alter table packing_exceptions add column retry text;
alter table packing_exceptions add column retried_by text;
alter table packing_exceptions add constraint packing_exceptions_retry_check check (retry in ('retry_label', 'corrected_and_retried')) not valid;
alter table packing_exceptions add constraint packing_exceptions_retried_by_check check (length(retried_by) <= 200) not valid;
alter table packing_exceptions drop constraint packing_exceptions_resolution_check;
alter table packing_exceptions add constraint packing_exceptions_resolution_check check (resolution in ('solved', 'back_to_queue', 'refill', 'ship_partial',
  'cancel_lines', 'retry_label', 'corrected_and_retried', 'label_booked', 'packed', 'order_cancelled')) not valid;
