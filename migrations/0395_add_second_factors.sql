-- The code app of a user. Its secret is sealed with the server's key; recovery codes are hashes, each used once.
create table user_totp (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  user_id bigint not null,
  sealed bytea not null,
  set_at timestamptz not null,
  -- The time step of the last code that was taken: a code counts once.
  last_step bigint not null,
  recovery bytea[] not null check (cardinality(recovery) <= 10),
  primary key (operator_id, user_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index user_totp_of_company on user_totp (operator_id, company_id);
call enable_tenant_rls('user_totp');

create table user_passkeys (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  user_id bigint not null,
  credential_id bytea not null check (length(credential_id) between 1 and 1023),
  public_key bytea not null check (length(public_key) <= 4096),
  counter bigint not null,
  transports text[] not null check (cardinality(transports) <= 10),
  -- True where the device's maker keeps a copy, so that the passkey outlives the device.
  backed_up boolean not null,
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (operator_id, id),
  unique (operator_id, company_id, credential_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index user_passkeys_of_user on user_passkeys (operator_id, user_id);
create index user_passkeys_of_company on user_passkeys (operator_id, company_id);
call enable_tenant_rls('user_passkeys');

-- Steps of a sign-in that has begun. The client holds a token; it is stored as a hash, works for minutes and once.
create table sign_in_challenges (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  token_hash bytea not null,
  kind text not null
    check (kind in ('second_factor', 'setup', 'totp', 'passkey', 'new_passkey', 'provider', 'identity', 'invitation')),
  -- Null where somebody signs in without a name.
  user_id bigint,
  -- The secret of a code app that is being set up.
  sealed bytea,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  primary key (operator_id, id),
  unique (operator_id, token_hash),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index sign_in_challenges_of_company on sign_in_challenges (operator_id, company_id);
create index sign_in_challenges_of_user on sign_in_challenges (operator_id, user_id);
create index sign_in_challenges_expired on sign_in_challenges (operator_id, expires_at);
call enable_tenant_rls('sign_in_challenges');
