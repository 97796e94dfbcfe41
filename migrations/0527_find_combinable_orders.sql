create index orders_combinable on orders (operator_id, company_id, combine_key, id) where combine_key is not null;
