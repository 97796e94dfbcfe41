-- The staff badge of a user: a code of 128 random bits, stored as a hash only. A new badge replaces the one before.
create table user_badges (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  user_id bigint not null,
  code_hash bytea not null,
  made_at timestamptz not null,
  primary key (operator_id, user_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index user_badges_of_company on user_badges (operator_id, company_id);
call enable_tenant_rls('user_badges');
