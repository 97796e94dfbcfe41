-- Until now a serial was unique for its product, as it was scanned.
update order_serials set serial_key = serial, scope_key = 'p:' || sku_key where serial_key is null;
