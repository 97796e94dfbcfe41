-- What names a product for the customs of the European Union since 1 November 2026, beside its SKU.

-- The number that its maker gave it.
alter table products add column manufacturer_no text check (length(manufacturer_no) between 1 and 64);

-- As a parcel declared its goods.
alter table shipment_lines
  add column manufacturer_no text check (length(manufacturer_no) <= 64),
  add column gtin text check (length(gtin) <= 14);

-- The parcel names its products: its papers print their numbers.
alter table shipment_customs add column product_ids boolean not null default false;
