-- Names row-level security and the scope functions with the terms of PostgreSQL: enable_tenant_rls, tenant_isolation, current_operator_id.

-- Policies, defaults and generated columns refer to functions by identity and follow the new names.
alter function scope_operator() rename to current_operator_id;
alter function scope_company() rename to current_company_id;
alter function scope_companies() rename to current_company_ids;

-- Bodies of functions are text and are written again.
do $$
declare function_id oid;
begin
  for function_id in
    select oid from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f' and prosrc ~ 'scope_(operator|company|companies)\('
  loop
    execute replace(replace(replace(pg_get_functiondef(function_id),
      'scope_operator(', 'current_operator_id('), 'scope_companies(', 'current_company_ids('), 'scope_company(', 'current_company_id(');
  end loop;
end $$;

do $$
declare policy record;
begin
  for policy in select polname, polrelid::regclass as table_name from pg_policy where polname in ('wall', 'system') loop
    execute format('alter policy %I on %s rename to %I', policy.polname, policy.table_name,
      case policy.polname when 'wall' then 'tenant_isolation' else 'system_access' end);
  end loop;
end $$;

-- kind 'company': rows of the companies in scope. kind 'operator': rows that all companies of an operator share.
drop procedure wall(regclass, text);
create procedure enable_tenant_rls(of regclass, kind text default 'company') language plpgsql as $$
declare rule text := 'operator_id = (select current_operator_id())';
begin
  if kind = 'company' then rule := rule || ' and company_id = any ((select current_company_ids())::bigint[])'; end if;
  execute format('alter table %s enable row level security', of);
  execute format('alter table %s force row level security', of);
  execute format('create policy tenant_isolation on %s to pakhus_app using (%s) with check (%s)', of, rule, rule);
  -- The system role serves what runs before or beside a tenant: login, keys, jobs, the first link. Few named functions use it.
  execute format('create policy system_access on %s to pakhus_system using (true) with check (true)', of);
  execute format('grant select, insert, update, delete on %s to pakhus_app, pakhus_system', of);
end $$;
