-- Customers from before this version. A step of its own, which locks nothing. Row-level security is forced for the owner of the tables too.
set local role pakhus_system;
insert into customer_changes (operator_id, company_id, customer_id)
  select operator_id, company_id, customer_id from customer_companies;
reset role;
