-- A step of its own, which locks nothing: it reads every order. Row-level security is forced for the owner of the tables too.
set local role pakhus_system;
insert into customer_backfills (operator_id, company_id, before_order_id, total)
  select operator_id, company_id, max(id) + 1, count(*) from orders group by operator_id, company_id
  on conflict do nothing;
reset role;
