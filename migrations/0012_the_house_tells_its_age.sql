-- Which migrations were applied and when: the table itself belongs to the migrator alone.
create function applied_migrations() returns table (name text, applied_at timestamptz) language sql stable security definer set search_path = pg_catalog, public as $$
  select m.name, m.applied_at from public.migrations m order by m.name
$$;
revoke all on function applied_migrations from public;
grant execute on function applied_migrations to pakhus_app, pakhus_system;
