-- Where a wagon stands follows from all its slots, also where only one company's own people change something of their order.
-- `waiting`: orders with lines that can be picked · `blocked`: orders with open lines that are held or cancelled.
create function pick_wagon_facts(list bigint, wagon integer default null)
returns table (wagon_no integer, live integer, packed integer, waiting integer, blocked integer, in_pack integer, codes integer, codes_at_packing integer)
language plpgsql stable security definer set search_path = pg_catalog, public as $$
declare
  operator constant bigint := scope_operator();
begin
  return query
  select w.wagon_no, coalesce(s.live, 0), coalesce(s.packed, 0), coalesce(s.waiting, 0), coalesce(s.blocked, 0), coalesce(s.in_pack, 0),
    coalesce(c.codes, 0), coalesce(c.at_packing, 0)
  from pick_wagons w
  left join lateral (
    select count(*) filter (where t.live)::integer live,
      count(*) filter (where t.state = 'packed')::integer packed,
      count(*) filter (where t.live and t.undecided and not t.stopped)::integer waiting,
      count(*) filter (where t.live and t.undecided and t.stopped)::integer blocked,
      count(*) filter (where t.live and t.work_state = 'in_pack')::integer in_pack
    from (
      select x.live, x.state, o.work_state, o.held or o.cancelled_at is not null stopped,
        x.live and exists (select from pick_lines l where l.operator_id = operator and l.pick_list_id = x.pick_list_id and l.wagon_no = x.wagon_no
          and l.slot_no = x.slot_no and l.state in ('open', 'skipped')) undecided
      from pick_slots x join orders o on o.operator_id = operator and o.id = x.order_id
      where x.operator_id = operator and x.pick_list_id = w.pick_list_id and x.wagon_no = w.wagon_no
    ) t
  ) s on true
  left join lateral (
    select count(*)::integer codes, count(*) filter (where p.at_packing_at is not null)::integer at_packing
    from paperless_codes p where p.operator_id = operator and p.pick_list_id = w.pick_list_id and p.wagon_no = w.wagon_no
  ) c on true
  where w.operator_id = operator and w.pick_list_id = list and (wagon is null or w.wagon_no = wagon)
  order by w.wagon_no;
end $$;
revoke all on function pick_wagon_facts from public;
grant execute on function pick_wagon_facts to pakhus_app, pakhus_system;
grant create on schema public to pakhus_system;
alter function pick_wagon_facts(bigint, integer) owner to pakhus_system;
revoke create on schema public from pakhus_system;

create index pick_wagons_idle on pick_wagons (last_at) where state in ('claimed', 'picking');
