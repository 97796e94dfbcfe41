-- How many parcels wait for an invoice by courier and country, so that no one counts them, and whether each lacks something now, so that no one
-- looks at all of them.

-- As `gapsOf` of an invoice says it: what a label did not say is read from the order's line or the product, where people correct it later.
create function parcel_is_complete(operator bigint, shipment bigint) returns boolean language sql stable as $$
  select exists (select from shipment_lines l where l.operator_id = operator and l.shipment_id = shipment)
    and not exists (
      select from shipment_lines l
      left join order_lines ol on ol.operator_id = l.operator_id and ol.id = l.order_line_id
      left join products p on p.operator_id = ol.operator_id and p.id = ol.product_id
      where l.operator_id = operator and l.shipment_id = shipment
        and (length(regexp_replace(coalesce(nullif(l.hs_code, ''), nullif(ol.hs_code, ''), p.hs_code, ''), '\D', '', 'g')) < 6
          or coalesce(l.origin, ol.origin, p.origin) is null or trim(l.description) = ''
          or coalesce(nullif(l.net_weight_g, 0), ol.weight_g * l.quantity, p.weight_g * l.quantity, 0) <= 0
          or coalesce(l.value, 0) <= 0 or l.currency is null)) $$;

-- Differences, as with file_sizes: one row for each courier and country would let all bookings to it wait for one another.
create table invoice_queue_counts (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  agent_code text not null,
  country text not null,
  id bigint generated always as identity,
  ready bigint not null,
  incomplete bigint not null,
  primary key (operator_id, company_id, agent_code, country, id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('invoice_queue_counts');

-- `complete` is how the parcel is now. What came in complete stays so.
alter table invoice_queue add was_incomplete boolean not null default false;
create index invoice_queue_watched on invoice_queue (operator_id, shipment_id) where not complete or was_incomplete;

create function count_invoice_queue() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into invoice_queue_counts (operator_id, company_id, agent_code, country, ready, incomplete)
    select operator_id, company_id, agent_code, country, count(*) filter (where complete), count(*) filter (where not complete)
    from new_rows group by operator_id, company_id, agent_code, country;
  elsif tg_op = 'DELETE' then
    insert into invoice_queue_counts (operator_id, company_id, agent_code, country, ready, incomplete)
    select operator_id, company_id, agent_code, country, -count(*) filter (where complete), -count(*) filter (where not complete)
    from old_rows group by operator_id, company_id, agent_code, country;
  else
    insert into invoice_queue_counts (operator_id, company_id, agent_code, country, ready, incomplete)
    select operator_id, company_id, agent_code, country, sum(ready), sum(incomplete)
    from (select operator_id, company_id, agent_code, country, complete::int ready, (not complete)::int incomplete from new_rows
      union all select operator_id, company_id, agent_code, country, -complete::int, -(not complete)::int from old_rows) changed
    group by operator_id, company_id, agent_code, country having sum(ready) <> 0 or sum(incomplete) <> 0;
  end if;
  return null;
end $$;

-- Parcels are locked before they are looked at: of two corrections at once the second sees what the first one wrote.
create function check_waiting_parcels(operator bigint, ids bigint[]) returns void language plpgsql as $$
begin
  perform from invoice_queue q where q.operator_id = operator and q.shipment_id = any (ids) order by q.shipment_id for no key update;
  update invoice_queue q set complete = not q.complete, was_incomplete = true
  where q.operator_id = operator and q.shipment_id = any (ids) and q.complete <> parcel_is_complete(q.operator_id, q.shipment_id);
end $$;

-- While an order carries the parcel of others their lines are its own.
create function check_parcels_of_line() returns trigger language plpgsql as $$
declare
  line order_lines := case tg_op when 'DELETE' then old else new end;
  ids bigint[] := array(
    select q.shipment_id from invoice_queue q
    where q.operator_id = line.operator_id and (not q.complete or q.was_incomplete) and q.order_id in (
      select unnest(array[o.id, o.combined_into]) from orders o where o.operator_id = line.operator_id and o.id = line.order_id));
begin
  if ids <> '{}' then perform check_waiting_parcels(line.operator_id, ids); end if;
  return null;
end $$;
create trigger parcels_of_changed_line after update of hs_code, origin, weight_g, product_id on order_lines for each row
  when (old.hs_code is distinct from new.hs_code or old.origin is distinct from new.origin or old.weight_g is distinct from new.weight_g
    or old.product_id is distinct from new.product_id)
  execute function check_parcels_of_line();
create trigger parcels_of_deleted_line after delete on order_lines for each row execute function check_parcels_of_line();

-- A file of products changes them in one statement, and each parcel is looked at once.
create function check_parcels_of_products() returns trigger language plpgsql as $$
declare
  changed record;
begin
  for changed in
    select n.operator_id, array_agg(n.id) ids from new_products n join old_products o on o.operator_id = n.operator_id and o.id = n.id
    where o.hs_code is distinct from n.hs_code or o.origin is distinct from n.origin or o.weight_g is distinct from n.weight_g group by n.operator_id
  loop
    perform check_waiting_parcels(changed.operator_id, array(
      select q.shipment_id from invoice_queue q
      where q.operator_id = changed.operator_id and (not q.complete or q.was_incomplete) and exists (
        select from shipment_lines l join order_lines ol on ol.operator_id = l.operator_id and ol.id = l.order_line_id
        where l.operator_id = q.operator_id and l.shipment_id = q.shipment_id and ol.product_id = any (changed.ids))));
  end loop;
  return null;
end $$;
create trigger parcels_of_changed_products after update on products referencing old table as old_products new table as new_products
  for each statement execute function check_parcels_of_products();

update invoice_queue q set complete = true, was_incomplete = true where not q.complete and parcel_is_complete(q.operator_id, q.shipment_id);
create trigger queue_of_new after insert on invoice_queue referencing new table as new_rows for each statement execute function count_invoice_queue();
create trigger queue_of_changed after update on invoice_queue referencing old table as old_rows new table as new_rows
  for each statement execute function count_invoice_queue();
create trigger queue_of_deleted after delete on invoice_queue referencing old table as old_rows for each statement execute function count_invoice_queue();
insert into invoice_queue_counts (operator_id, company_id, agent_code, country, ready, incomplete)
select operator_id, company_id, agent_code, country, count(*) filter (where complete), count(*) filter (where not complete)
from invoice_queue group by operator_id, company_id, agent_code, country;
