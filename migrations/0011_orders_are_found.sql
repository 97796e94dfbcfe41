-- Orders are found by serial number and by their own number, and those packed with a check let pass are listed.

create index order_serials_serial on order_serials (operator_id, serial) where removed_at is null;
create index orders_by_number on orders (operator_id, company_id, order_no, id);
create index packing_scans_bypassed on packing_scans (operator_id, order_id desc) where method = 'bypass';
