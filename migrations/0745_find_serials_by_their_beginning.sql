-- Serial numbers are found by how they begin, in any order of the database's language.
create index order_serials_begin on order_serials (operator_id, serial text_pattern_ops) where removed_at is null;
create index order_serials_key_begin on order_serials (operator_id, serial_key text_pattern_ops) where removed_at is null;
drop index order_serials_serial;
