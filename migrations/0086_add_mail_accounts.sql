-- The mail accounts of companies: the server that sends a company's mails. The password stands in `secrets`.
create table mail_accounts (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  -- That of its destination in the outbox.
  id bigint not null,
  host text not null check (length(host) <= 253),
  port integer not null check (port between 1 and 65535),
  -- tls: encrypted from the start. starttls: encrypted before anything is said. none: only in networks that the deployment permits.
  security text not null check (security in ('tls', 'starttls', 'none')),
  -- Null: the server asks for no sign-in.
  user_name text check (length(user_name) <= 254),
  from_name text not null check (length(from_name) <= 120),
  from_address text not null check (length(from_address) <= 254),
  reply_to text check (length(reply_to) <= 254),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  unique (operator_id, company_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, id) references outbox_destinations
);
call enable_tenant_rls('mail_accounts');
