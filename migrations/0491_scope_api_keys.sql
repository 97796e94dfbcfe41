-- Keys of programs that work for the company beside its shops: with scopes, from allowed networks, for reading alone.
alter table cms_keys
  drop constraint cms_keys_purpose_check,
  add constraint cms_keys_purpose_check check (purpose in ('shop', 'print_agent', 'api')),
  -- Codes of permissions; only keys of the purpose api have some.
  add column scopes text[] not null default '{}' check (cardinality(scopes) <= 40),
  add column read_only boolean not null default false,
  -- Networks from which the key works; none means from everywhere.
  add column allowed_networks text[] not null default '{}' check (cardinality(allowed_networks) <= 20),
  -- The key that takes its place; both work until this one expires.
  add column replaced_by bigint;
