create unique index shipments_one_live on shipments (operator_id, order_id, parcel_no, operation_code) where state not in ('cancelled', 'blocked', 'draft', 'error');
