-- Pieces whose serial numbers a company knows before they are packed, from a file or a program. `sent` and `returned` follow order_serials;
-- `recalled` and `removed` were set by a person, and hold a piece back whatever its orders say.
create table serial_units (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  sku_key text not null check (length(sku_key) between 1 and 64),
  serial text not null check (length(serial) between 1 and 256),
  -- Equal for serials that count as the same, as in order_serials.
  serial_key text not null,
  state text not null default 'in_stock' check (state in ('in_stock', 'sent', 'returned', 'recalled', 'removed')),
  -- On the outer pack: one scan of it means all its pieces.
  pack_code text check (length(pack_code) between 1 and 256),
  lot text check (length(lot) between 1 and 64),
  expiry date,
  imported_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create unique index serial_units_key on serial_units (operator_id, company_id, sku_key, serial_key);
create index serial_units_of_pack on serial_units (operator_id, company_id, pack_code) where pack_code is not null;
create index serial_units_serial on serial_units (operator_id, serial_key text_pattern_ops);
create index serial_units_by_state on serial_units (operator_id, company_id, state, id desc);
call enable_tenant_rls('serial_units');
