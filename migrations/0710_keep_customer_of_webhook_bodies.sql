-- What was sent of a customer is found when the customer is erased.
alter table webhook_bodies add column customer_id bigint;
create index webhook_bodies_of_customer on webhook_bodies (operator_id, customer_id) where customer_id is not null;
