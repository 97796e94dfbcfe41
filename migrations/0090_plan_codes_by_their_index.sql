-- A plan for any operator must suit the largest: among very many operators the planner takes an average one for small and reads all its orders.

-- As a sum the operator is no condition of the primary key's index, which leaves the index of words.
drop function find_orders_by_code(tsquery, integer);
create function find_orders_by_code(asked tsquery, most integer) returns setof bigint
language plpgsql stable security definer set search_path = pg_catalog, public set plan_cache_mode = force_generic_plan as $$
declare
  operator constant bigint := current_operator_id();
  companies constant bigint[] := current_company_ids();
  enough constant integer := 5000;
  found bigint[];
begin
  select array_agg(few.order_id) into found from (
    select w.order_id from order_words w
    where w.words @@ asked and w.operator_id + 0 = operator and w.company_id = any (companies)
    limit enough + 1
  ) few;
  if coalesce(cardinality(found), 0) <= enough then
    return query select id from unnest(found) id order by id desc limit most;
  else
    return query select id from find_orders(asked, 9007199254740991, most, false) id;
  end if;
end $$;
revoke all on function find_orders_by_code from public;
grant execute on function find_orders_by_code to pakhus_app;
grant create on schema public to pakhus_system;
alter function find_orders_by_code owner to pakhus_system;
revoke create on schema public from pakhus_system;
