-- Campaigns: pictures with a text and a link on the tracking page, for a period and an audience, and how often they were shown and clicked.

create table campaigns (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- 128 bits that cannot be guessed: the name under which the public page asks for it.
  public_key text not null check (length(public_key) <= 22),
  client_id uuid,
  title text not null check (length(title) <= 120),
  -- Scheduled, active and over follow from a published campaign's period.
  state text not null default 'draft' check (state in ('draft', 'published', 'paused', 'ended')),
  from_at timestamptz not null,
  to_at timestamptz check (to_at > from_at),
  slot text not null default 'tracking_main' check (slot = 'tracking_main'),
  stages text[] not null default '{}' check (cardinality(stages) <= 10),
  locales text[] not null default '{}' check (cardinality(locales) <= 10),
  -- Empty stands for all.
  countries text[] not null default '{}' check (cardinality(countries) <= 250),
  agent_codes text[] not null default '{}' check (cardinality(agent_codes) <= 100),
  -- The rule grammar: see src/domain/rules/rule-grammar.ts.
  conditions jsonb not null default '{"v": 1, "all": []}' check (length(conditions::text) <= 100000),
  priority smallint not null default 0 check (priority between 0 and 100),
  -- Percent of the orders that see variant B; null without a test.
  ab_share smallint check (ab_share between 1 and 99),
  link text not null default '' check (length(link) <= 500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (operator_id, id),
  unique (operator_id, company_id, public_key),
  unique (operator_id, company_id, client_id),
  foreign key (operator_id, company_id) references companies
);
create index campaigns_by_change on campaigns (operator_id, company_id, changed_at desc);
create index campaigns_published on campaigns (operator_id, company_id, priority desc, from_at desc) where state = 'published';
call enable_tenant_rls('campaigns');

-- Words and picture of a campaign by language and variant.
create table campaign_images (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  campaign_id bigint not null,
  locale text not null check (length(locale) <= 5),
  variant text not null check (variant in ('a', 'b')),
  headline text not null default '' check (length(headline) <= 60),
  text text not null default '' check (length(text) <= 160),
  button text not null default '' check (length(button) <= 22),
  alt text not null default '' check (length(alt) <= 120),
  -- The same picture in two sizes and two formats; all or none of them.
  webp_1400_file_id bigint,
  webp_700_file_id bigint,
  jpeg_1400_file_id bigint,
  jpeg_700_file_id bigint,
  -- The beginning of the hash of the largest one: changes when the picture changes.
  picture text check (length(picture) <= 16),
  primary key (operator_id, campaign_id, locale, variant),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, campaign_id) references campaigns on delete cascade,
  foreign key (operator_id, webp_1400_file_id) references files,
  foreign key (operator_id, webp_700_file_id) references files,
  foreign key (operator_id, jpeg_1400_file_id) references files,
  foreign key (operator_id, jpeg_700_file_id) references files
);
call enable_tenant_rls('campaign_images');

-- That an order saw or clicked a campaign on a day: once, without address, cookie or name. Kept for 60 days.
create table campaign_views (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  campaign_id bigint not null,
  variant text not null check (variant in ('a', 'b')),
  order_id bigint not null,
  day date not null,
  shown boolean not null default false,
  clicked boolean not null default false,
  primary key (operator_id, campaign_id, variant, order_id, day),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, campaign_id) references campaigns on delete cascade,
  foreign key (operator_id, order_id) references orders on delete cascade
);
create index campaign_views_of_order on campaign_views (operator_id, order_id);
create index campaign_views_old on campaign_views (day);
call enable_tenant_rls('campaign_views');

create table campaign_days (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  campaign_id bigint not null,
  variant text not null check (variant in ('a', 'b')),
  day date not null,
  shown integer not null default 0,
  clicked integer not null default 0,
  primary key (operator_id, campaign_id, variant, day),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, campaign_id) references campaigns on delete cascade
);
call enable_tenant_rls('campaign_days');
