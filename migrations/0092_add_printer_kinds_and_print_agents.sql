-- Printers of the server's CUPS, label printers at an address of the network, and printers that a print agent in the warehouse reaches.
alter table printers drop constraint printers_kind_check;
alter table printers add constraint printers_kind_check check (kind in ('printnode', 'file', 'cups', 'raw9100', 'agent'));

-- unknown: sent to a printer that reports nothing of the job, and not answered. Not validated: rows of a narrower rule fit.
alter table print_jobs drop constraint print_jobs_state_check;
alter table print_jobs add constraint print_jobs_state_check
  check (state in ('queued', 'sending', 'sent', 'accepted', 'done', 'failed', 'expired', 'cancelled', 'unknown')) not valid;

-- What a key is for: a shop's program, or a print agent.
alter table cms_keys add column purpose text not null default 'shop' check (purpose in ('shop', 'print_agent'));

-- Print agents: processes in the warehouse that print for this server.
create table print_agents (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 60),
  version text not null default '' check (length(version) <= 40),
  last_seen_at timestamptz not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index print_agents_name on print_agents (operator_id, company_id, name);
call enable_tenant_rls('print_agents');

alter table printers add column agent_id bigint;
alter table printers add foreign key (operator_id, agent_id) references print_agents;
