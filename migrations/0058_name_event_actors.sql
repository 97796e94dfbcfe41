-- Events and scans keep the name of who acted: readers never look the person up, and erasure has one column to clear.
alter table events rename column actor to actor_name;
alter table events add column actor_kind text;
-- Without a default in the statement above: rows that exist keep null until they are filled.
alter table events alter column actor_kind set default 'system';
alter table events add constraint events_actor_kind_check check (actor_kind in ('user', 'api_key', 'system')) not valid;
alter table packing_scans add column user_name text;
alter table collect_scans add column user_name text;
alter table shipment_events add column user_name text;
