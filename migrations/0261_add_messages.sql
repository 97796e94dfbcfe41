-- Templates of messages by occasion, channel and language. Removed ones stay for the messages that were written with them.
create table message_templates (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- Of the company: stays the same for as long as the template exists.
  index integer not null,
  channel text not null check (channel in ('sms', 'email')),
  locale text not null check (length(locale) <= 10),
  trigger text not null check (length(trigger) <= 40),
  name text not null check (length(name) <= 120),
  subject text not null default '' check (length(subject) <= 150),
  body text not null default '' check (length(body) <= 1600),
  -- Of an e-mail: its blocks, and the layout that was made of them.
  blocks jsonb not null default '[]',
  layout text not null default '' check (length(layout) <= 200000),
  -- Sent in quiet hours too.
  urgent boolean not null default false,
  delay_minutes integer not null default 0 check (delay_minutes between 0 and 10080),
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (operator_id, id),
  unique (operator_id, company_id, index),
  foreign key (operator_id, company_id) references companies
);
create unique index message_templates_one_active on message_templates (operator_id, company_id, trigger, channel, locale)
  where active and removed_at is null and trigger <> 'manual';
call enable_tenant_rls('message_templates');

-- When text messages wait, and how long texts are kept.
create table message_settings (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  quiet_from text not null default '21:00' check (length(quiet_from) = 5),
  quiet_to text not null default '08:00' check (length(quiet_to) = 5),
  -- Days until address and text of a message are deleted.
  keep_days integer not null default 180 check (keep_days between 7 and 730),
  version integer not null default 1,
  primary key (operator_id, company_id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('message_settings');

-- One sending to several orders.
create table message_groups (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  client_id uuid not null,
  channel text not null check (channel in ('sms', 'email')),
  title text not null check (length(title) <= 120),
  template_id bigint,
  -- Orders that were asked for.
  asked integer not null,
  -- What was confirmed, in millionths of the currency.
  price_micro bigint not null,
  currency text not null check (length(currency) = 3),
  actor text not null check (length(actor) <= 200),
  created_at timestamptz not null,
  cancelled_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, template_id) references message_templates
);
create unique index message_groups_once on message_groups (operator_id, company_id, client_id);
create index message_groups_of_template on message_groups (operator_id, template_id) where template_id is not null;
call enable_tenant_rls('message_groups');

-- Messages to recipients and their answers. Who wrote what to whom stands in `message_bodies`.
create table messages (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  direction text not null default 'out' check (direction in ('out', 'in')),
  channel text not null check (channel in ('sms', 'email')),
  state text not null
    check (state in ('queued', 'sending', 'sent', 'delivered', 'failed', 'expired', 'unknown', 'cancelled', 'skipped', 'received')),
  -- Why it was skipped, or what went wrong.
  reason text check (length(reason) <= 40),
  -- What gateway or mail server said.
  answer text check (length(answer) <= 300),
  order_id bigint,
  customer_id bigint,
  group_id bigint,
  template_id bigint,
  trigger text not null default 'manual' check (length(trigger) <= 40),
  -- One message for each: its occasion, order and parcel.
  dedupe_key text not null check (length(dedupe_key) <= 120),
  -- A code of the address, by which answers find their question; not the address.
  address_key text check (length(address_key) <= 40),
  country text check (length(country) = 2),
  urgent boolean not null default false,
  encoding text check (length(encoding) <= 10),
  parts integer,
  price_micro bigint,
  currency text check (length(currency) = 3),
  account_id bigint,
  provider text check (length(provider) <= 20),
  provider_id text check (length(provider_id) <= 100),
  send_after timestamptz not null,
  valid_until timestamptz not null,
  attempts integer not null default 0,
  leased_until timestamptz,
  sent_at timestamptz,
  final_at timestamptz,
  -- Of an answer: the message that it answers, and who has seen to it.
  answers_id bigint,
  handled_at timestamptz,
  handled_by text check (length(handled_by) <= 200),
  actor text not null default '' check (length(actor) <= 200),
  created_at timestamptz not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, customer_id) references customers,
  foreign key (operator_id, group_id) references message_groups,
  foreign key (operator_id, template_id) references message_templates
);
create unique index messages_once on messages (operator_id, company_id, dedupe_key);
create index messages_due on messages (operator_id, company_id, send_after, id) where state = 'queued';
create index messages_leased on messages (operator_id, leased_until) where state = 'sending';
create index messages_of_company on messages (operator_id, company_id, id desc);
create index messages_of_order on messages (operator_id, order_id, id desc) where order_id is not null;
create index messages_of_customer on messages (operator_id, customer_id, id desc) where customer_id is not null;
create index messages_of_group on messages (operator_id, group_id, id) where group_id is not null;
create index messages_of_template on messages (operator_id, template_id) where template_id is not null;
create index messages_of_address on messages (operator_id, company_id, address_key, id desc) where address_key is not null;
create index messages_by_provider on messages (operator_id, account_id, provider_id) where provider_id is not null;
create index messages_failed on messages (operator_id, company_id, id desc) where state in ('failed', 'expired', 'unknown');
create index messages_unanswered on messages (operator_id, company_id, id desc) where direction = 'in' and handled_at is null;
call enable_tenant_rls('messages');

-- Address and text of a message. Erased with the recipient, and after the company's time.
create table message_bodies (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  message_id bigint not null,
  address text not null check (length(address) <= 254),
  name text not null default '' check (length(name) <= 300),
  subject text not null default '' check (length(subject) <= 300),
  text text not null check (length(text) <= 20000),
  html text check (length(html) <= 400000),
  created_at timestamptz not null,
  primary key (operator_id, message_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, message_id) references messages on delete cascade
);
create index message_bodies_by_age on message_bodies (operator_id, company_id, created_at);
call enable_tenant_rls('message_bodies');

-- Who wants no more messages of a company. The code stays after an erasure, so that the person is not written to again.
create table message_opt_outs (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  channel text not null check (channel in ('sms', 'email')),
  address_key text not null check (length(address_key) <= 40),
  -- Null once the person is erased.
  address text check (length(address) <= 254),
  source text not null check (source in ('stop', 'gateway', 'person')),
  actor text not null default '' check (length(actor) <= 200),
  at timestamptz not null,
  ended_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index message_opt_outs_open on message_opt_outs (operator_id, company_id, channel, address_key) where ended_at is null;
create index message_opt_outs_of_company on message_opt_outs (operator_id, company_id, id desc);
call enable_tenant_rls('message_opt_outs');

-- Reports that came before the answer to their message: they are applied when it is there.
create table message_reports (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  account_id bigint not null,
  provider_id text not null check (length(provider_id) <= 100),
  state text not null check (state in ('sent', 'delivered', 'failed', 'expired')),
  problem text check (length(problem) <= 40),
  at timestamptz not null,
  primary key (operator_id, account_id, provider_id, state),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, account_id) references sms_accounts on delete cascade
);
create index message_reports_of_company on message_reports (operator_id, company_id, at);
call enable_tenant_rls('message_reports');
