-- Groups of users: a user has the union of the own permissions and those of the groups.
create table user_groups (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 60),
  -- Permission ids, as the specification numbers them.
  permission smallint[] not null default '{}' check (cardinality(permission) <= 60),
  created_by bigint,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  -- Announcements and the schedule keep the name.
  removed_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index user_groups_name on user_groups (operator_id, company_id, lower(name)) where removed_at is null;
call enable_tenant_rls('user_groups');

create table user_group_members (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  group_id bigint not null,
  user_id bigint not null,
  added_by text not null check (length(added_by) <= 120),
  added_at timestamptz not null default now(),
  primary key (operator_id, group_id, user_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, group_id) references user_groups,
  foreign key (operator_id, user_id) references users
);
create index user_group_members_of_user on user_group_members (operator_id, user_id);
create index user_group_members_of_company on user_group_members (operator_id, company_id);
call enable_tenant_rls('user_group_members');

-- Own permissions and those of the groups, in the order of their ids. A caller sees only groups that row-level security shows.
create function effective_permission(of_operator bigint, of_user bigint, own smallint[]) returns smallint[]
language sql stable parallel safe as $$
  select coalesce(array_agg(code order by code), '{}') from (
    select unnest(own) code
    union
    select unnest(g.permission) from user_group_members m
      join user_groups g on g.operator_id = m.operator_id and g.id = m.group_id
      where m.operator_id = of_operator and m.user_id = of_user and g.removed_at is null
  ) held
$$;

-- What a person can do besides the usual: planning asks for it (forklift, dangerous goods).
alter table users add column skills text[] not null default '{}' check (cardinality(skills) <= 20);
