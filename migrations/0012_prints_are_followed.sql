-- Printers that a company overrules, print jobs that can be followed, moved and copied, and how long the queue is.

alter table printers
  -- PrintNode does not say what language a printer understands; a person knows better than the guess from its driver's name.
  add column raw_override boolean,
  -- A test code of this printer was scanned back: what it prints can be read.
  add column proved_at timestamptz,
  add foreign key (operator_id, fallback_printer_id) references printers;

alter table print_jobs
  add column printer_name text not null default '',
  -- Names one try at the provider. The same try is always sent under the same name, another try (another printer, a retry after
  -- it certainly did not come out) under a new one. Unguessable, so that two deployments with one PrintNode account never meet.
  add column remote_key uuid not null default gen_random_uuid(),
  -- A try was sent and nobody knows whether it arrived: it may only be repeated under the same name, and never at another printer.
  add column in_doubt boolean not null default false,
  add column moved_from_printer_id bigint,
  -- The first print, of which this one is a copy.
  add column copy_of bigint,
  add column followed_at timestamptz,
  add foreign key (operator_id, copy_of) references print_jobs;
create index print_jobs_copies on print_jobs (operator_id, copy_of) where copy_of is not null;
create index print_jobs_of_printer on print_jobs (operator_id, printer_id, id desc);
create index print_jobs_followed on print_jobs (accepted_at) where state in ('sent', 'accepted');

-- What waits in the queue and what has given up. The queue's own tables stay closed to requests.
create function queue_length(out waiting bigint, out failed bigint, out oldest timestamptz) language sql stable security definer set search_path = pg_catalog, public as $$
  select count(*) filter (where attempts < max_attempts), count(*) filter (where attempts >= max_attempts),
    min(run_at) filter (where attempts < max_attempts and run_at < now())
  from graphile_worker.jobs
$$;
revoke all on function queue_length from public;
grant execute on function queue_length to pakhus_app, pakhus_system;
