-- Questions to recipients: a link in a message, and the choice that was made with it.

create table decision_links (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint not null,
  message_id bigint not null,
  channel text not null check (channel in ('sms', 'email')),
  choices text[] not null check (cardinality(choices) between 1 and 5
    and choices <@ array['ship_partially', 'wait', 'cancel_line', 'new_address', 'other_shop']),
  -- The token follows from it and from the key of the server, so that every attempt sends the same message.
  seed bytea not null check (octet_length(seed) = 16),
  -- SHA-256 of the token, which is kept nowhere.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  -- Postcodes that did not match.
  tries integer not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  choice text check (choice = any (choices)),
  -- Until when the recipient waits.
  until date,
  -- The page's own name of its answer: sent again it gets the same reply.
  client_id uuid,
  closed_at timestamptz,
  closed_reason text check (closed_reason in ('revoked', 'newer', 'answered', 'postcode', 'erased')),
  actor text not null default '' check (length(actor) <= 200),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  check ((used_at is null) = (choice is null)),
  check ((closed_at is null) = (closed_reason is null))
);
create unique index decision_links_token on decision_links (operator_id, company_id, token_hash);
create unique index decision_links_of_message on decision_links (operator_id, message_id);
create index decision_links_of_order on decision_links (operator_id, order_id, id desc);
create index decision_links_old on decision_links (expires_at);
call enable_tenant_rls('decision_links');
