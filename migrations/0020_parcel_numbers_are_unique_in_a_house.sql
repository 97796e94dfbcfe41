-- Companies of one warehouse may print under one GS1 prefix; then they share its series, for a scanner at the gate reads them all.

create function next_sscc_serial(gs1_prefix text) returns bigint
language sql security definer set search_path = pg_catalog, public as $$
  insert into public.number_series as s (operator_id, company_id, name, next)
  select c.operator_id, c.id, 'sscc:' || gs1_prefix, 2 from public.companies c where c.operator_id = public.scope_operator() and c.is_main
  on conflict (operator_id, company_id, name) do update set next = s.next + 1
  returning next - 1
$$;
revoke all on function next_sscc_serial from public;
grant execute on function next_sscc_serial to pakhus_app;
-- It counts in a row of the main company, which a shop's own people do not see.
grant create on schema public to pakhus_system;
alter function next_sscc_serial(text) owner to pakhus_system;
revoke create on schema public from pakhus_system;

-- What was counted a company before goes on behind the furthest.
insert into number_series as s (operator_id, company_id, name, next)
select n.operator_id, m.id, n.name, max(n.next) from number_series n join companies m on m.operator_id = n.operator_id and m.is_main
where n.name like 'sscc:%' group by 1, 2, 3
on conflict (operator_id, company_id, name) do update set next = greatest(s.next, excluded.next);
