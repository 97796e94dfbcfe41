-- How much a company may have, as the operator's main company says: users, webhooks, imports in 24 hours. What is absent has no limit but the product's own.
alter table companies add column limits jsonb not null default '{}' check (octet_length(limits::text) <= 1000);
create index jobs_of_imports on jobs (operator_id, company_id, created_at) where kind in ('orders.import', 'products.import');
