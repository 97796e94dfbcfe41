-- A code may be typed. The constraint is checked for new rows only; the next step checks the others without a lock.
do $$
declare
  part regclass;
begin
  alter table packing_scans drop constraint packing_scans_method_check;
  -- The first partition was a table of its own and has the constraint twice: as its own and from the partitioned table.
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'packing_scans'::regclass loop
    execute format('alter table %s drop constraint if exists packing_scans_method_check', part);
  end loop;
  alter table packing_scans add constraint packing_scans_method_check
    check (method in ('scan', 'manual', 'bypass', 'camera', 'typed')) not valid;
end $$;
