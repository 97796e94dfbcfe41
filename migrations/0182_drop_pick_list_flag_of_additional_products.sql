-- Additional products are asked for at the packing station, not on pick lists.
alter table additional_products drop column on_pick_list;
