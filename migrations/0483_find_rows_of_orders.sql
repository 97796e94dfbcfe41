-- Keys of orders and of their lines that no index served: deleting an order reads each of these tables otherwise.
create index order_locks_of_order on order_locks (operator_id, order_id);
create index order_additions_by_order on order_additions (operator_id, order_id);
create index bulk_invoice_skips_of_order on bulk_invoice_skips (operator_id, order_id);
create index order_serials_of_line on order_serials (operator_id, order_line_id);
create index parcel_lines_of_line on parcel_lines (operator_id, order_line_id);
create index pick_lines_of_line on pick_lines (operator_id, order_line_id);
