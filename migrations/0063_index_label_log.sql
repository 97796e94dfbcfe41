-- Readers go on; writers wait for the index.
alter table label_log validate constraint label_log_first_bound;
create unique index label_log_first_key on label_log (operator_id, id, created_at);
