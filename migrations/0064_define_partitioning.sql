-- Exchanges a table for one that is partitioned by month and has the old one as its first partition. Only the catalogue changes: no row is
-- read or moved. Readers wait for that long, so each table has a file of its own.
create procedure partition_by_month(name text, time_column text) language plpgsql as $$
declare
  first text := name || '_first';
  bound text;
  next_id bigint;
  statements text[];
  statement text;
begin
  execute format('lock table %I in access exclusive mode', name);
  select substring(pg_get_constraintdef(oid) from '''([^'']+)''') into strict bound
  from pg_constraint where conrelid = name::regclass and conname = name || '_first_bound' and convalidated;
  -- Indexes beside the keys, and foreign keys, as the partitioned table gets them.
  select coalesce(array_agg(regexp_replace(pg_get_indexdef(i.indexrelid), '^CREATE (UNIQUE )?INDEX \S+ ON \S+ ', format('create \1index %I on %I ', c.relname, name))), '{}')
    into statements
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = name::regclass and not i.indisprimary and c.relname not like first || '%';
  select statements || coalesce(array_agg(format('alter table %I add constraint %I %s', name, conname, pg_get_constraintdef(oid))), '{}') into statements
  from pg_constraint where conrelid = name::regclass and contype = 'f';
  if pg_get_serial_sequence(name, 'id') is not null then
    execute format('select last_value + case when is_called then 1 else 0 end from %s', pg_get_serial_sequence(name, 'id')) into next_id;
    execute format('alter table %I alter column id drop identity', name);
  end if;

  execute format('alter table %I drop constraint %I', name, name || '_pkey');
  execute format('alter table %I add constraint %I primary key using index %I', name, first || '_pkey', first || '_key');
  execute format('alter table %I rename to %I', name, first);
  for statement in
    select format('alter index %I rename to %I', c.relname, first || substr(c.relname, length(name) + 1))
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = first::regclass and c.relname not like first || '%'
  loop execute statement; end loop;

  execute format('create table %I (like %I including defaults including constraints including storage) partition by range (%I)', name, first, time_column);
  execute format('alter table %I drop constraint %I', name, name || '_first_bound');
  execute format('alter table %I add primary key (operator_id, id, %I)', name, time_column);
  if next_id is not null then
    execute format('alter table %I alter column id add generated always as identity (start with %s)', name, next_id);
  end if;
  foreach statement in array statements loop execute statement; end loop;
  call enable_tenant_rls(name::regclass);
  call copy_revoked_privileges(first::regclass, name::regclass);
  -- The constraint proves that the rows fit: the database does not look at them.
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', name, first, bound);
  execute format('alter table %I drop constraint %I', first, name || '_first_bound');
  call add_default_partition(name::regclass);
end $$;
