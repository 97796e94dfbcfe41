-- What people know of a customer, how customers are found and listed, which of them may be one person, and who looked at them.

alter table customers
  add column locale text check (length(locale) <= 10),
  -- Orders at all companies together, of the customers that are merged into this one too; kept by the schedule that takes customer_changes.
  add column order_count integer not null default 0,
  add column version integer not null default 1;
create index customers_by_orders on customers (operator_id, order_count desc, id desc) where root_id = id and erased_at is null;

alter table customer_companies
  -- Of this company, and of the customers that are merged into this one too.
  add column order_count integer not null default 0,
  add column first_order_at timestamptz,
  add column last_order_at timestamptz,
  -- By what lists are sorted: the last order, else when the customer was made; the name without case and accents.
  add column sorted_at timestamptz not null default now(),
  add column name_key text not null default '' check (length(name_key) <= 300),
  -- The company knows only customers that are merged into this one.
  add column joined boolean not null default false,
  -- False until the row is counted, and where the customer is merged into another one or erased.
  add column listed boolean not null default false;
create index customer_companies_newest on customer_companies (operator_id, company_id, sorted_at desc, customer_id desc) where listed;
create index customer_companies_by_orders on customer_companies (operator_id, company_id, order_count desc, customer_id desc) where listed;
create index customer_companies_by_name on customer_companies (operator_id, company_id, name_key, customer_id) where listed;
create index customer_companies_alike on customer_companies (operator_id, company_id, name_postcode) where listed and name_postcode is not null;

-- Whose figures and words are out of date. Rows are only added, so that no order waits for another one of its customer; a schedule takes them.
create table customer_changes (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint,
  customer_id bigint,
  primary key (operator_id, company_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);
call enable_tenant_rls('customer_changes');

-- How a customer is found. Each word begins with its company's id; a word stands with each company that knows it, and with no other.
create table customer_words (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  customer_id bigint not null,
  words tsvector not null,
  primary key (operator_id, customer_id, company_id),
  foreign key (operator_id, customer_id) references customers
);
create index customer_words_find on customer_words using gin (words) with (fastupdate = off);
call enable_tenant_rls('customer_words');

-- `@@` is not leakproof, so under row-level security it would lose its index: this function runs as its owner and keeps to the scope of the
-- transaction itself. What many customers have is met soon enough by walking back from the newest ones (as find_orders does).
create function find_customers(asked tsquery, most integer) returns setof bigint
language plpgsql stable security definer set search_path = pg_catalog, public set plan_cache_mode = force_custom_plan as $$
declare
  operator constant bigint := current_operator_id();
  companies constant bigint[] := current_company_ids();
  enough constant integer := 5000;
  found bigint[];
begin
  select array_agg(few.customer_id) into found from (
    select w.customer_id from customer_words w
    where w.words @@ asked and w.operator_id + 0 = operator and w.company_id = any (companies)
    limit enough + 1
  ) few;
  if coalesce(cardinality(found), 0) <= enough then
    return query select distinct id from unnest(found) id order by id desc;
  else
    -- 0 says that there are more.
    return query select 0::bigint union all (select n.customer_id from customer_words n
      where n.words @@ asked and n.operator_id = operator and n.company_id = any (companies)
      order by n.customer_id desc limit most);
  end if;
end $$;
revoke all on function find_customers from public;
grant execute on function find_customers to pakhus_app;
grant create on schema public to pakhus_system;
alter function find_customers owner to pakhus_system;
revoke create on schema public from pakhus_system;

-- What a company's staff should know of the customer. A note of one company is shown to no other shop.
create table customer_notes (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  customer_id bigint not null,
  type text not null check (type in ('info', 'praise', 'advice', 'warning')),
  note text not null check (length(note) <= 2000),
  -- Also shown to the packer of the customer's orders.
  at_station boolean not null default false,
  -- The last day on which it is shown.
  until date,
  -- Made by the browser: the same note sent again is the same note.
  client_id uuid,
  user_id bigint,
  actor text not null check (length(actor) <= 200),
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, customer_id) references customers
);
create index customer_notes_of_customer on customer_notes (operator_id, customer_id, id desc);
create unique index customer_notes_once on customer_notes (operator_id, client_id) where client_id is not null;
call enable_tenant_rls('customer_notes');

create table customer_flags (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  customer_id bigint not null,
  flag text not null check (flag in ('no_sms', 'no_email', 'signature', 'known_problem')),
  actor text not null check (length(actor) <= 200),
  created_at timestamptz not null default now(),
  primary key (operator_id, customer_id, company_id, flag),
  foreign key (operator_id, customer_id) references customers
);
create index customer_flags_of_company on customer_flags (operator_id, company_id, flag, customer_id);
call enable_tenant_rls('customer_flags');

-- Which customers were one person. Undoing gives the members that still belong to the root back to where they came from.
create table customer_merges (
  operator_id bigint not null default current_operator_id(),
  id bigint generated always as identity,
  root_id bigint not null,
  former_root_id bigint not null,
  member_ids bigint[] not null,
  actor text not null check (length(actor) <= 200),
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by text check (length(undone_by) <= 200),
  primary key (operator_id, id),
  foreign key (operator_id, root_id) references customers,
  foreign key (operator_id, former_root_id) references customers
);
create index customer_merges_of_root on customer_merges (operator_id, root_id);
call enable_tenant_rls('customer_merges', 'operator');

-- Customers that may be one person, and why. A dismissed pair is never suggested again.
create table customer_suggestions (
  operator_id bigint not null default current_operator_id(),
  a_id bigint not null,
  b_id bigint not null,
  reason text not null check (reason in ('shop_customer', 'email', 'phone', 'name_postcode')),
  state text not null default 'open' check (state in ('open', 'merged', 'dismissed')),
  created_at timestamptz not null default now(),
  check (a_id < b_id),
  primary key (operator_id, a_id, b_id),
  foreign key (operator_id, a_id) references customers,
  foreign key (operator_id, b_id) references customers
);
create index customer_suggestions_open on customer_suggestions (operator_id, a_id) where state = 'open';
create index customer_suggestions_of_other on customer_suggestions (operator_id, b_id) where state = 'open';
call enable_tenant_rls('customer_suggestions', 'operator');

-- Who looked at a person's data, and by which call.
create table access_log (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  at timestamptz not null default now(),
  user_id bigint,
  user_name text not null check (length(user_name) <= 200),
  subject_type text not null check (subject_type in ('customer', 'order', 'user')),
  -- Null for a search.
  subject_id bigint,
  what text not null check (length(what) <= 100),
  -- What was searched for.
  criteria text check (length(criteria) <= 200),
  primary key (operator_id, id, at)
) partition by range (at);
create index access_log_of_subject on access_log (operator_id, subject_type, subject_id, at desc);
call enable_tenant_rls('access_log');
call add_default_partition('access_log');

-- Customers whose person is erased although they have no order.
alter table erasures add column asked_customer_ids bigint[] not null default '{}';
