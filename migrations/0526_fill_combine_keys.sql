-- in batches
-- The trigger gives orders that wait to be picked their key. Taken in the order of their ids, as commands take them.
with keyless as materialized (
    select operator_id, id from orders
    where phase = 'ready' and combine_key is null and split_of is null and agent_code is not null and shipping_method is not null limit 2000),
  taken as materialized (
    select o.operator_id, o.id from orders o join keyless using (operator_id, id) order by o.operator_id, o.id for no key update of o),
  filled as (update orders o set phase = o.phase from taken where o.operator_id = taken.operator_id and o.id = taken.id returning 1)
select 1 from filled limit 1;
