-- The OpenID Connect provider by which users of a company sign in; its client secret is in `secrets`.
create table sign_in_providers (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  name text not null check (length(name) between 1 and 40),
  issuer text not null check (length(issuer) <= 500),
  client_id text not null check (length(client_id) <= 300),
  active boolean not null,
  -- True: the provider asks for a second factor itself, so that none is asked for here.
  second_factor boolean not null,
  version integer not null default 1,
  primary key (operator_id, company_id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('sign_in_providers');

-- Accounts at a provider. Issuer and subject name the account; an e-mail address never does.
create table user_identities (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  user_id bigint not null,
  issuer text not null check (length(issuer) <= 500),
  subject text not null check (length(subject) <= 255),
  linked_at timestamptz not null,
  last_used_at timestamptz,
  primary key (operator_id, id),
  unique (operator_id, company_id, issuer, subject),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index user_identities_of_user on user_identities (operator_id, user_id);
create index user_identities_of_company on user_identities (operator_id, company_id);
call enable_tenant_rls('user_identities');
