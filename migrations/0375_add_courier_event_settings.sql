-- Which event of which courier tells the shop, the recipient and the warehouse; an absent row stands for the usual.
create table courier_event_settings (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  agent_code text not null check (length(agent_code) <= 40),
  event text not null check (event in ('registered', 'handed_over', 'in_transit', 'customs', 'out_for_delivery', 'ready_for_pickup',
    'delivered', 'delivery_failed', 'delayed', 'address_problem', 'returning', 'returned')),
  to_shop boolean not null,
  to_recipient boolean not null,
  to_us boolean not null,
  -- Of the company's message templates; null stands for the active template of the occasion.
  template_id bigint,
  version integer not null default 1,
  primary key (operator_id, company_id, agent_code, event),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('courier_event_settings');

-- What the courier's newest event says beside the state, so that it is reported once.
alter table shipments add column event_reason text check (event_reason in ('customs', 'delayed', 'address_problem'));
