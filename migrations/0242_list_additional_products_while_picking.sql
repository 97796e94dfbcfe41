-- Additional products that are taken along while picking: named with the slot of their order, on lists, paper and phones.
alter table additional_products add column on_pick_list boolean not null default false;
