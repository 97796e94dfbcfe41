-- Events, packing scans and the label log are about to be partitioned by month. Their present rows become the first partition: all before
-- a bound, which is stated as a constraint here and proved by the next migrations, while readers and writers go on.
do $$
declare
  growing record;
  newest timestamptz;
  bounds jsonb := '{}';
begin
  -- The rows are looked at before any lock is taken. Row-level security is forced for the owner of the tables too.
  set local role pakhus_system;
  for growing in select * from (values ('events', 'at'), ('packing_scans', 'at'), ('label_log', 'created_at')) t(name, time_column) loop
    execute format('select max(%I) from %I', growing.time_column, growing.name) into newest;
    -- A day is added, so that rows which come in during this upgrade do not pass the end of a month.
    bounds := bounds || jsonb_build_object(growing.name,
      (date_trunc('month', greatest(newest, now() + interval '1 day') at time zone 'utc') + interval '1 month') at time zone 'utc');
  end loop;
  set local role none;
  for growing in select * from (values ('events', 'at'), ('packing_scans', 'at'), ('label_log', 'created_at')) t(name, time_column) loop
    execute format('alter table %I add constraint %I check (%I < %L::timestamptz) not valid',
      growing.name, growing.name || '_first_bound', growing.time_column, bounds->>growing.name);
  end loop;
end $$;
