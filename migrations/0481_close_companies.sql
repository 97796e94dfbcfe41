-- A company that its operator has closed: by whom and why, from when its data ends, and when it has ended.
alter table companies
  add column closed_at timestamptz,
  add column closed_by text check (length(closed_by) <= 200),
  add column close_reason text check (length(close_reason) <= 2000),
  add column erase_from timestamptz,
  add column erased_at timestamptz,
  add constraint companies_closed check ((closed_at is null) = (erase_from is null) and (erased_at is null or closed_at is not null)),
  add constraint companies_main_open check (closed_at is null or not is_main);

-- No way in makes orders at a closed company. The keys of the rows wait for a company that is being closed, so this sees how that ended.
create function refuse_orders_of_closed() returns trigger language plpgsql as $$
begin
  if exists (select from (select distinct operator_id, company_id from made) m
    join companies c on c.operator_id = m.operator_id and c.id = m.company_id where c.closed_at is not null)
  then raise exception 'The company is closed' using errcode = 'PK002'; end if;
  return null;
end $$;
create trigger orders_of_closed after insert on orders referencing new table as made for each statement execute function refuse_orders_of_closed();

-- Nor is one of its orders worked on again: what still comes in are the couriers' words about parcels that are on their way.
create function refuse_work_of_closed() returns trigger language plpgsql as $$
begin
  if exists (select from companies c where c.operator_id = new.operator_id and c.id = new.company_id and c.closed_at is not null)
  then raise exception 'The company is closed' using errcode = 'PK002'; end if;
  return new;
end $$;
create trigger work_of_closed before update of work_state on orders for each row
  when (old.work_state is distinct from new.work_state and new.work_state <> 'closed') execute function refuse_work_of_closed();
