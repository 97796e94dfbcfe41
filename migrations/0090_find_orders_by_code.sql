-- Exact codes are found by one plan that is made once per connection.

-- find_orders plans each call anew, because the best way to words depends on how common they are. A code names few orders, so the index
-- is always right; what names more than 5,000, as the SKU of a bestseller, goes on to find_orders.
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
    where w.words @@ asked and w.operator_id = operator and w.company_id = any (companies)
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
grant execute on function find_orders to pakhus_system;
grant create on schema public to pakhus_system;
alter function find_orders_by_code owner to pakhus_system;
revoke create on schema public from pakhus_system;
