-- Orders of a bulk job that go in one parcel have its number.
alter table bulk_job_rows add parcel integer;
alter table bulk_jobs drop constraint bulk_jobs_action_check;
alter table bulk_jobs add constraint bulk_jobs_action_check
  check (action in ('release', 'reopen', 'close', 'cancel', 'hold', 'lock', 'pin', 'unpin', 'method', 'tag', 'combine')) not valid;
