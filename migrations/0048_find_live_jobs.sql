-- Whether the queue still has a job under this key that runs or will run. The queue's own tables stay closed to requests.
create function has_live_job(job_key text) returns boolean language sql stable security definer set search_path = pg_catalog, public as $$
  select exists (select from graphile_worker.jobs where key = job_key and (locked_at is not null or attempts < max_attempts))
$$;
revoke all on function has_live_job from public;
grant execute on function has_live_job to pakhus_system;
