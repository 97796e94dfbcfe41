-- Crates: a stock below which the main company is warned, and removed ones that can be taken back with their rules and picture.
alter table crate_types
  add column low_stock integer check (low_stock between 1 and 10000000),
  add column removed_at timestamptz;
drop index crate_types_code;
drop index crate_types_barcode;
create unique index crate_types_code on crate_types (operator_id, upper(code)) where removed_at is null;
create unique index crate_types_barcode on crate_types (operator_id, upper(barcode)) where barcode is not null and removed_at is null;
