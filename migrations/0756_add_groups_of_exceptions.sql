-- An exception may wait for a group of users, of whom one takes it.
alter table packing_exceptions add column owner_group_id bigint;
alter table packing_exceptions add constraint packing_exceptions_owner_group_fkey
  foreign key (operator_id, owner_group_id) references user_groups not valid;
alter table packing_exceptions add constraint packing_exceptions_one_owner_check
  check (owner_group_id is null or (owner_user_id is null and state <> 'in_work')) not valid;
create index packing_exceptions_of_group on packing_exceptions (operator_id, owner_group_id) where owner_group_id is not null;
