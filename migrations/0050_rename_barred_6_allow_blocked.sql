drop index shipments_one_live_by_both;
alter table shipments drop constraint shipments_state_check;
alter table shipments add constraint shipments_state_check check (state in ('draft', 'booking', 'unknown', 'booked', 'handed_over', 'in_transit',
  'out_for_delivery', 'ready_for_pickup', 'delivered', 'delivery_failed', 'needs_attention', 'returning', 'returned_to_sender', 'lost', 'cancelled',
  'blocked', 'error')) not valid;
