/** Rows that no table may hold after any day of packing, by what they mean. */
export const packingFigures = {
  'pieces that are packed and lie in no parcel': `select l.order_id, l.sku from order_lines l where l.packed_qty <> coalesce((select sum(b.qty) from parcel_lines b where b.order_line_id = l.id), 0)`,
  'lines with more than was ordered': `select order_id, sku from order_lines where packed_qty > qty - cancelled_qty`,
  'scans that do not come to what is packed': `select l.order_id, l.sku, l.packed_qty from order_lines l where l.packed_qty <> coalesce((select sum(s.quantity) from packing_scans s where s.order_line_id = l.id), 0)`,
  'orders that were packed twice': `select order_id from events where kind = 'order.packed' group by 1 having count(*) > 1`,
  'serial numbers on two pieces': `select serial_key from order_serials where removed_at is null group by serial_key, company_id, sku_key having count(*) > 1`,
  'packed pieces without their serial number': `select l.order_id from order_lines l join orders o on o.id = l.order_id where l.serial_required and o.cancelled_at is null and o.work_state in ('packed', 'handed_over')
    and l.packed_qty <> (select count(*) from order_serials n where n.order_line_id = l.id and n.removed_at is null)`,
  'cancelled orders with a live label': `select o.order_no, s.state from orders o join shipments s on s.order_id = o.id where o.cancelled_at is not null and s.state in ('booked', 'booking', 'unknown')`,
  'shipments in doubt': `select id, state, agent_code from shipments where state in ('booking', 'unknown')`,
  'parcel numbers given twice': `select agent_code, tracking_no from shipments where tracking_no is not null and state not in ('cancelled', 'blocked') group by 1, 2 having count(*) > 1`,
  // A hold stops what is not printed yet, and a printer that stays silent is looked at by a person: both are listed.
  'labels without exactly one print job': `select s.id, array_agg(p.state) states from shipments s join orders o on o.id = s.order_id left join print_jobs p on p.shipment_id = s.id and p.document = 'label'
    where s.state in ('booked', 'handed_over') and o.cancelled_at is null group by s.id having count(p.id) <> 1`,
  'print jobs that wait': `select id, state, title from print_jobs where state in ('queued', 'sending', 'accepted')`,
  'jobs of the queue that are left': `select id, attempts from graphile_worker._private_jobs`,
} as const
