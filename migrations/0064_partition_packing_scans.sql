call partition_by_month('packing_scans', 'at');
create unique index packing_scans_default_id on packing_scans_default (operator_id, id);
drop procedure partition_by_month;
