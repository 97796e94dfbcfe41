-- The outbox: work that follows a change is queued in the change's own transaction.

-- Requests run as pakhus_app, which must not touch the queue's tables; this is the one thing it may do there.
-- `key` names the work: queued twice under one name it is done once, and may be moved or taken back.
create function enqueue(task text, payload jsonb, key text default null, run_at timestamptz default null, queue text default null) returns void
language sql security definer set search_path = pg_catalog, public as $$
  select graphile_worker.add_job(identifier => task, payload => payload::json, job_key => key, run_at => run_at, queue_name => queue, max_attempts => 12)
$$;
revoke all on function enqueue from public;
grant execute on function enqueue to pakhus_app, pakhus_system;

create function dequeue(key text) returns void
language sql security definer set search_path = pg_catalog, public as $$
  select graphile_worker.remove_job(key)
$$;
revoke all on function dequeue from public;
grant execute on function dequeue to pakhus_app, pakhus_system;

-- The word search keeps its index only when no policy of the reader's stands before `@@`: it runs as the system role.
grant create on schema public to pakhus_system;
alter function find_orders(tsquery, bigint, integer) owner to pakhus_system;
revoke create on schema public from pakhus_system;
