-- Looks at every row without blocking reads or writes.
alter table shipments validate constraint shipments_state_check;
