-- The bound of the first partition, as of events.
do $$
declare
  newest timestamptz;
begin
  -- The rows are looked at before a lock is taken. Row-level security is forced for the owner of the table too.
  set local role pakhus_system;
  select max(created_at) from label_log into newest;
  set local role none;
  -- A day is added, so that rows which come in during this upgrade do not pass the end of a month.
  execute format('alter table label_log add constraint label_log_first_bound check (created_at < %L::timestamptz) not valid',
    (date_trunc('month', greatest(newest, now() + interval '1 day') at time zone 'utc') + interval '1 month') at time zone 'utc');
end $$;
