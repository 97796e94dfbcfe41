-- Links by which a user sets a password: one per user, for one use, and as a hash only.
create table password_links (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  user_id bigint not null,
  purpose text not null check (purpose in ('invitation', 'forgotten')),
  -- The token is made of this and the key of the server, so that every attempt to send a mail sends the same link.
  nonce bytea not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (operator_id, id),
  unique (operator_id, user_id),
  unique (operator_id, token_hash),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index password_links_of_company on password_links (operator_id, company_id);
call enable_tenant_rls('password_links');
