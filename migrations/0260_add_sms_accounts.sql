-- The account of a company at a gateway of text messages. Its secrets stand in `secrets`. A company without one only logs its messages.
create table sms_accounts (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  provider text not null check (provider in ('log', 'gatewayapi', 'twilio', 'inmobile')),
  -- Of GatewayAPI: its interface, and where its keys belong.
  api text not null default 'classic' check (api in ('classic', 'messaging')),
  region text not null default 'com' check (region in ('com', 'eu')),
  -- Of Twilio: the account.
  user_name text not null default '' check (length(user_name) <= 100),
  sender text not null check (length(sender) <= 40),
  -- Of one part, in millionths of the currency.
  price_micro bigint not null default 0 check (price_micro between 0 and 1000000000),
  currency text not null check (length(currency) = 3),
  -- Below this balance the screens warn; null: never.
  warn_below_micro bigint check (warn_below_micro >= 0),
  balance_micro bigint,
  balance_currency text check (length(balance_currency) = 3),
  balance_at timestamptz,
  -- Why the gateway did not take the last message, or did not answer; null when all is well.
  problem text check (length(problem) <= 40),
  answer text check (length(answer) <= 300),
  problem_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  unique (operator_id, company_id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('sms_accounts');
