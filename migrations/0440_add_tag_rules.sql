-- Rules that give orders a tag, and which orders each of them has given its tag.
create table tag_rules (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- A create that is sent again is the same one.
  client_id uuid not null default gen_random_uuid(),
  tag_id bigint not null,
  conditions jsonb not null check (length(conditions::text) <= 40000),
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  -- The rules of a tag that is merged or removed follow in the same transaction.
  foreign key (operator_id, tag_id) references tags deferrable initially deferred
);
create index tag_rules_of_company on tag_rules (operator_id, company_id, id);
create unique index tag_rules_client on tag_rules (operator_id, company_id, client_id);
call enable_tenant_rls('tag_rules');

-- A rule gives an order its tag once: a tag that a person took away does not come back.
create table tag_rule_hits (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  order_id bigint not null,
  tag_rule_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (operator_id, order_id, tag_rule_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, tag_rule_id) references tag_rules on delete cascade
);
create index tag_rule_hits_of_rule on tag_rule_hits (operator_id, company_id, tag_rule_id, created_at desc);
call enable_tenant_rls('tag_rule_hits');

alter table order_tags drop constraint order_tags_source_check;
alter table order_tags add constraint order_tags_source_check check (source in ('person', 'import', 'rule'));
