-- A NOTIFY makes commits wait for each other, and wakes workers that find nothing. A job of later needs none: workers look each second.
-- Written as `add_jobs` and `remove_job` of graphile-worker 0.18 do it.
create or replace function enqueue(task text, payload jsonb, key text default null, run_at timestamptz default null, queue text default null)
returns void language plpgsql security definer set search_path = pg_catalog, public as $$
#variable_conflict use_column
begin
  if enqueue.key is not null and enqueue.queue is null and enqueue.run_at > clock_timestamp() + interval '2 seconds' then
    -- A job that runs already, or was given up, stays beside the new one.
    update graphile_worker._private_jobs j set key = null, attempts = j.max_attempts, updated_at = now()
    where j.key = enqueue.key and j.is_available is not true;
    insert into graphile_worker._private_jobs as j (task_id, payload, run_at, max_attempts, key)
    select t.id, enqueue.payload::json, enqueue.run_at, 12, enqueue.key from graphile_worker._private_tasks t where t.identifier = enqueue.task
    on conflict (key) do update set job_queue_id = null, task_id = excluded.task_id, payload = excluded.payload,
      max_attempts = excluded.max_attempts, run_at = excluded.run_at, priority = excluded.priority, revision = j.revision + 1,
      flags = excluded.flags, attempts = 0, last_error = null, updated_at = now()
    where j.locked_at is null;
    if found then
      return;
    end if;
  end if;
  perform graphile_worker.add_job(identifier => enqueue.task, payload => enqueue.payload::json, job_key => enqueue.key,
    run_at => enqueue.run_at, queue_name => enqueue.queue, max_attempts => 12);
end $$;

create or replace function dequeue(key text) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
#variable_conflict use_column
begin
  delete from graphile_worker._private_jobs j
  where j.key = dequeue.key and (j.locked_at is null or j.locked_at < now() - interval '4 hours');
  if not found then
    update graphile_worker._private_jobs j set key = null, attempts = j.max_attempts, updated_at = now() where j.key = dequeue.key;
  end if;
end $$;
