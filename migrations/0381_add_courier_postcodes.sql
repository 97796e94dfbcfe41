-- Whether couriers deliver to a postcode, as they answered: public facts, shared by the companies of an operator.
create table courier_postcodes (
  operator_id bigint not null default current_operator_id(),
  agent_code text not null check (length(agent_code) <= 40),
  postcode text not null check (length(postcode) <= 10),
  covered boolean not null,
  area text check (length(area) <= 60),
  asked_at timestamptz not null,
  primary key (operator_id, agent_code, postcode)
);
call enable_tenant_rls('courier_postcodes', 'operator');
