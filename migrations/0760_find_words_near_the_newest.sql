-- Words of which the last is a beginning that many orders have: the index of words merges all words that begin so, which takes twenty milliseconds
-- among a million orders. Whole words of the same question are found at once; the newest orders that have them are read for the rest.

-- A block of the table holds orders of neighbouring ids. As a sum the id is no condition of the primary key's index.
create index order_words_newest on order_words using brin ((order_id + 0)) with (pages_per_range = 32, autosummarize = on);
-- Without it the database takes the ids for scattered, and leaves the index alone.
analyze order_words;

-- The dearer condition of two indexes is met second: found rows stay single rows then, where whole blocks of them would be read.
create function as_dear_condition(id bigint) returns bigint language plpgsql stable parallel safe cost 400000 as $$ begin return id; end $$;

-- `whole` and `beginning` are parts of `asked`: all words but the last one, and the last one where it may be a beginning. How many of the newest thousand
-- have them says what is cheapest, in microseconds: walking back from the newest, the whole words alone, or the index for all of them.
drop function find_orders(tsquery, bigint, integer, boolean);
create function find_orders(asked tsquery, before bigint, most integer, common boolean default false, whole tsquery default null,
  beginning tsquery default null) returns setof bigint
language plpgsql stable security definer set search_path = pg_catalog, public set plan_cache_mode = force_custom_plan as $$
declare
  operator constant bigint := current_operator_id();
  companies constant bigint[] := current_company_ids();
  enough constant integer := case when common then 20000 else 5000 end;
  sample constant float := 1000;
  never constant float := 'infinity';
  n record;
  share_asked float;
  share_whole float;
  orders_in_all float;
  needed float;
  by_walk float;
  by_whole float;
  by_all float;
  first bigint;
  later bigint := before;
  older bigint[];
  walk boolean := false;
  found bigint[];
begin
  if common then
    select count(*) filter (where w.words @@ asked) as asked, count(*) filter (where w.words @@ whole) as whole,
      count(*) filter (where w.words @@ beginning) as beginning, max(w.order_id) as newest, max(w.order_id) - min(w.order_id) as apart
    into n from (
      select w.order_id, w.words from order_words w where w.operator_id = operator and w.order_id < before order by w.order_id desc limit 1000) w;
    if n.asked >= 5 or n.beginning >= 10 then
      share_whole := greatest(n.whole, 0.5) / sample;
      share_asked := case when whole is null then greatest(n.asked, 0.5) / sample
        when n.asked >= 10 then n.asked / sample
        else greatest(share_whole * greatest(n.beginning, 0.5), (n.asked + share_whole * n.beginning) / 2) / sample end;
      orders_in_all := sample * n.newest / greatest(n.apart, 1);
      needed := most / share_asked;
      by_walk := case when needed <= 40000 then 0.45 * needed else never end;
      by_all := orders_in_all * (0.12 * n.beginning / sample + 1.2 * share_asked);
      needed := least(1.2 * needed, orders_in_all);
      by_whole := case when whole is null then never else share_whole * (0.13 * orders_in_all + 1.2 * needed) end;
      walk := by_walk <= least(by_whole, by_all);
      if walk then
        found := newest_with_words(asked, before, most, 60000);
        if cardinality(found) >= most then
          return query select unnest(found);
          return;
        end if;
      elsif by_whole < by_all then
        found := '{}';
        for turn in 1..3 loop
          first := case when needed < orders_in_all then n.newest - (n.apart * needed / sample)::bigint else 0 end;
          select array_agg(few.order_id order by few.order_id desc) into older from (
            select w.order_id from order_words w
            where w.words @@ whole and (w.words @@ asked) is true and w.operator_id + 0 = operator and w.company_id = any (companies)
              and w.order_id + 0 < later and w.order_id + 0 >= as_dear_condition(first)
            limit enough + 1
          ) few;
          exit when cardinality(older) > enough;
          found := found || older;
          if cardinality(found) >= most or first = 0 then
            return query select unnest(found[:most]);
            return;
          end if;
          needed := needed * least(8, 1.3 * most / greatest(cardinality(found), 1));
          later := first;
        end loop;
      end if;
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
revoke all on function find_orders from public;
grant execute on function find_orders to pakhus_app;
grant create on schema public to pakhus_system;
alter function find_orders owner to pakhus_system;
revoke create on schema public from pakhus_system;
