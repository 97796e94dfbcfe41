-- The personal PIN of a user, by which a lead approves something at a packing station: a password hash.
create table user_pins (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  user_id bigint not null,
  pin_hash text not null,
  set_at timestamptz not null,
  primary key (operator_id, user_id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, user_id) references users
);
create index user_pins_of_company on user_pins (operator_id, company_id);
call enable_tenant_rls('user_pins');
