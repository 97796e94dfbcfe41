-- One live label of a parcel, by either name of a blocked one. Readers go on meanwhile.
create unique index shipments_one_live_by_both on shipments (operator_id, order_id, parcel_no, operation_code)
  where state not in ('cancelled', 'barred', 'blocked', 'draft', 'error');
