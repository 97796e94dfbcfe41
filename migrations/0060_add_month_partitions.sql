-- Append-only tables that grow without end are partitioned by month. Each has a default partition, so that an insert never fails.

-- Takes from the product's role on a new table what it may not do on another one.
create procedure copy_revoked_privileges(source regclass, target regclass) language plpgsql as $$
declare
  privilege text;
begin
  foreach privilege in array array['insert', 'update', 'delete'] loop
    if not has_table_privilege('pakhus_app', source, privilege) then execute format('revoke %s on %s from pakhus_app', privilege, target); end if;
  end loop;
end $$;

-- Creates the partition of one month; returns whether it is new. Rows of the month that the default partition holds move into it.
-- The first partition of a table may reach over several months. The owner of the tables calls this, before the month begins.
create function create_month_partition(parent regclass, month date) returns boolean language plpgsql as $$
declare
  lower_at timestamptz := date_trunc('month', month::timestamp) at time zone 'utc';
  upper_at timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'utc';
  partition text := parent::text || to_char(month::timestamp, '_YYYY_MM');
  time_column text;
  columns text;
begin
  if exists (
    select from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent and (c.relname = partition
      or pg_get_expr(c.relpartbound, c.oid) like 'FOR VALUES FROM (MINVALUE)%'
        and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')::timestamptz > lower_at)
  ) then return false; end if;
  select a.attname into strict time_column from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = parent;
  execute format('create table %I (like %s including defaults including constraints including storage)', partition, parent);
  call enable_tenant_rls(partition::regclass);
  call copy_revoked_privileges(parent, partition::regclass);
  -- A scan that a station sends twice is counted once: within a partition its id alone is unique.
  if parent = 'packing_scans'::regclass then
    execute format('create unique index %I on %I (operator_id, id)', partition || '_id', partition);
  end if;
  if exists (
    select from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = parent and c.relname = parent::text || '_default'
  ) then
    select string_agg(format('%I', attname), ', ' order by attnum) into columns
    from pg_attribute where attrelid = parent and attnum > 0 and not attisdropped;
    set local role pakhus_system;
    execute format('with moved as (delete from %I where %I >= $1 and %I < $2 returning %s) insert into %I (%s) select %s from moved',
      parent::text || '_default', time_column, time_column, columns, partition, columns, columns) using lower_at, upper_at;
    set local role none;
  end if;
  execute format('alter table %s attach partition %I for values from (%L) to (%L)', parent, partition, lower_at, upper_at);
  return true;
end $$;
revoke all on function create_month_partition from public;

create procedure add_default_partition(parent regclass) language plpgsql as $$
declare
  partition text := parent::text || '_default';
begin
  execute format('create table %I partition of %s default', partition, parent);
  call enable_tenant_rls(partition::regclass);
  call copy_revoked_privileges(parent, partition::regclass);
end $$;

-- Creates the partitions of this month and the two after it, for every table that is partitioned; returns how many are new.
create function create_month_partitions(today timestamptz) returns integer language plpgsql as $$
declare
  parent regclass;
  ahead integer;
  made integer := 0;
begin
  for parent in select partrelid::regclass from pg_partitioned_table order by 1 loop
    for ahead in 0..2 loop
      if create_month_partition(parent, (date_trunc('month', today at time zone 'utc') + make_interval(months => ahead))::date) then made := made + 1; end if;
    end loop;
  end loop;
  return made;
end $$;
revoke all on function create_month_partitions from public;
