-- Serial rules: a pattern and the scope in which its serials are unique; the products that follow a rule stand in a table of their own.

create table serial_rules (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- A linear-time pattern that a serial number must match whole.
  regex text not null check (length(regex) between 1 and 200),
  -- A serial goes out once for each product, once for the whole company, or as often as it is scanned.
  scope text not null default 'product' check (scope in ('product', 'company', 'none')),
  created_at timestamptz not null default now(),
  primary key (operator_id, id)
);
create unique index serial_rules_regex on serial_rules (operator_id, company_id, regex);
call enable_tenant_rls('serial_rules');

alter table serial_checks rename to serial_rule_products;
alter index serial_checks_pkey rename to serial_rule_products_pkey;
alter index serial_checks_barcode rename to serial_rule_products_barcode;
alter table serial_rule_products add column rule_id bigint;

-- The migrating role owns the tables; forced row-level security would hide every row from it. Both tables are small.
alter table serial_rules no force row level security;
alter table serial_rule_products no force row level security;
insert into serial_rules (operator_id, company_id, regex, created_at)
  select operator_id, company_id, regex, min(created_at) from serial_rule_products group by operator_id, company_id, regex;
update serial_rule_products p set rule_id = r.id from serial_rules r
  where r.operator_id = p.operator_id and r.company_id = p.company_id and r.regex = p.regex;
alter table serial_rule_products alter column rule_id set not null;
alter table serial_rule_products add foreign key (operator_id, rule_id) references serial_rules on delete cascade;
alter table serial_rule_products drop column regex;
alter table serial_rules force row level security;
alter table serial_rule_products force row level security;
create index serial_rule_products_of_rule on serial_rule_products (operator_id, rule_id);

-- Filled by the next step, without a lock that keeps readers out.
alter table order_serials add column serial_key text;
alter table order_serials add column scope_key text;
alter table order_serials no force row level security;
