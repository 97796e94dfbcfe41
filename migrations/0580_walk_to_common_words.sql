-- Common words are met by walking back from the newest orders: a row takes half a microsecond, while the index of words takes ten to forty
-- milliseconds to say which of a million orders have two of them.

-- Rows of the operator are counted, of whatever company: a small company of a large operator would walk through all of them, and its own words
-- are few to the index.
create function newest_with_words(asked tsquery, before bigint, most integer, rows_read integer) returns bigint[]
language plpgsql stable set search_path = pg_catalog, public set plan_cache_mode = force_custom_plan as $$
declare
  operator constant bigint := current_operator_id();
  companies constant bigint[] := current_company_ids();
begin
  return array(
    select newest.order_id from (
      select w.order_id, w.company_id, w.words from order_words w where w.operator_id = operator and w.order_id < before
      order by w.order_id desc limit rows_read
    ) newest where newest.company_id = any (companies) and newest.words @@ asked order by newest.order_id desc limit most);
end $$;
revoke all on function newest_with_words from public;

-- Words that three of the newest 500 have may be common. Where the newest 5,000 say that 50,000 hold enough, 60,000 are read, for they may be
-- rarer before. What the index finds is fetched once, to 20,000 of words and 5,000 of codes: more of them are common too.
create or replace function find_orders(asked tsquery, before bigint, most integer, common boolean default false) returns setof bigint
language plpgsql stable security definer set search_path = pg_catalog, public set plan_cache_mode = force_custom_plan as $$
declare
  operator constant bigint := current_operator_id();
  companies constant bigint[] := current_company_ids();
  enough constant integer := case when common then 20000 else 5000 end;
  walk boolean := false;
  found bigint[];
begin
  if common and cardinality(newest_with_words(asked, before, 3, 500)) = 3 then
    found := newest_with_words(asked, before, most, 5000);
    walk := cardinality(found) < most and cardinality(found) * 10 >= most;
    if walk then
      found := newest_with_words(asked, before, most, 60000);
    end if;
    if cardinality(found) >= most then
      return query select unnest(found);
      return;
    end if;
  end if;
  select array_agg(few.order_id) into found from (
    select w.order_id from order_words w
    where w.words @@ asked and w.operator_id = operator and w.company_id = any (companies) and w.order_id < before
    limit enough + 1
  ) few;
  if coalesce(cardinality(found), 0) <= enough then
    return query select id from unnest(found) id order by id desc limit most;
    return;
  end if;
  found := case when walk then '{}' else newest_with_words(asked, before, most, 60000) end;
  if cardinality(found) >= most then
    return query select unnest(found);
  else
    return query select w.order_id from order_words w
      where w.words @@ asked and w.operator_id = operator and w.company_id = any (companies) and w.order_id < before
      order by w.order_id desc limit most;
  end if;
end $$;
grant create on schema public to pakhus_system;
alter function newest_with_words owner to pakhus_system;
revoke create on schema public from pakhus_system;
