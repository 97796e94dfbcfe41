-- in batches
-- The persons of a stored request move into rows of their own, and what was packed for an order's parcel becomes the contents of its shipment.
with old as (
  select ctid as place, operator_id, company_id, id, order_id, parcel_no, operation_code, request from shipments where kind is null limit 10000),
parties as (
  insert into shipment_parties (operator_id, company_id, shipment_id, role, party)
  select o.operator_id, o.company_id, o.id, p.role, p.party
  from old o cross join lateral (values ('sender', o.request->'sender'), ('recipient', o.request->'receiver')) p (role, party)
  where jsonb_typeof(p.party) = 'object'
  on conflict do nothing
  returning 1),
lines as (
  insert into shipment_lines (operator_id, company_id, shipment_id, line_no, order_line_id, sku, description, quantity, hs_code, origin, value, currency, net_weight_g)
  select o.operator_id, o.company_id, o.id, row_number() over (partition by o.operator_id, o.id order by l.line_no, l.id), l.id, l.sku,
    coalesce(l.customs_text, p.customs_text, l.name), b.qty, nullif(regexp_replace(coalesce(l.hs_code, p.hs_code), '\D', '', 'g'), ''), coalesce(l.origin, p.origin),
    l.unit_price_excl_vat * b.qty - round(l.discount_excl_vat::numeric * b.qty / l.qty), case when l.unit_price_excl_vat is not null then d.currency end,
    coalesce(l.weight_g, p.weight_g)::bigint * b.qty
  from old o
    join parcel_lines b on b.operator_id = o.operator_id and b.order_id = o.order_id and b.parcel_no = o.parcel_no and b.qty > 0
    join order_lines l on l.operator_id = b.operator_id and l.id = b.order_line_id
    join orders d on d.operator_id = o.operator_id and d.id = o.order_id
    left join products p on p.operator_id = l.operator_id and p.id = l.product_id
  where o.operation_code = 'outbound'
  on conflict do nothing
  returning 1),
filled as (
  update shipments s
  set kind = case when old.operation_code = 'return' then 'return' else 'order' end, request = s.request - 'sender' - 'receiver'
  from old where s.ctid = old.place
  returning 1)
select 1 from filled limit 1;
