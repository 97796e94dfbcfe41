alter table print_agents
  add column kind text not null default 'computer' check (kind in ('computer', 'raspberry')),
  add column model text not null default '' check (length(model) <= 100),
  add column queues jsonb;

-- What people ask of the CUPS of a device; its print agent fetches and answers them.
create table printer_commands (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  agent_id bigint not null,
  client_id uuid not null,
  command jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'done', 'failed')),
  message text check (length(message) <= 300),
  found jsonb,
  created_at timestamptz not null default now(),
  taken_at timestamptz,
  ended_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, agent_id) references print_agents
);
create unique index printer_commands_of_client on printer_commands (operator_id, company_id, client_id);
create index printer_commands_of_agent on printer_commands (operator_id, agent_id, id desc);
call enable_tenant_rls('printer_commands');
