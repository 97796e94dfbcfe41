-- Readers go on; writers wait for the index. One file for each table, so that they wait for one at a time.
alter table events validate constraint events_first_bound;
alter table events validate constraint events_actor_kind_check;
create unique index events_first_key on events (operator_id, id, at);
