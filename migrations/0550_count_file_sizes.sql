-- Bytes of a company's files as differences: a statement that writes files adds its own, a schedule adds them up. One row for each
-- company would let all bookings of its labels wait for one another.
create table file_sizes (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  bytes bigint not null,
  primary key (operator_id, company_id, id),
  foreign key (operator_id, company_id) references companies
);
call enable_tenant_rls('file_sizes');

-- Files whose content is erased count no more.
create function count_file_sizes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into file_sizes (operator_id, company_id, bytes)
    select operator_id, company_id, sum(bytes) from new_files where erased_at is null group by operator_id, company_id having sum(bytes) <> 0;
  elsif tg_op = 'DELETE' then
    insert into file_sizes (operator_id, company_id, bytes)
    select operator_id, company_id, -sum(bytes) from old_files where erased_at is null group by operator_id, company_id having sum(bytes) <> 0;
  else
    insert into file_sizes (operator_id, company_id, bytes)
    select operator_id, company_id, sum(bytes) from (
      select operator_id, company_id, bytes from new_files where erased_at is null
      union all select operator_id, company_id, -bytes from old_files where erased_at is null) changed
    group by operator_id, company_id having sum(bytes) <> 0;
  end if;
  return null;
end $$;
create trigger sizes_of_new after insert on files referencing new table as new_files for each statement execute function count_file_sizes();
create trigger sizes_of_changed after update on files referencing old table as old_files new table as new_files
  for each statement execute function count_file_sizes();
create trigger sizes_of_deleted after delete on files referencing old table as old_files for each statement execute function count_file_sizes();
