-- A destination gets the events of one shop, or of all; a webhook sends one header of its receiver with each delivery. Its value is a sealed secret.
alter table outbox_destinations add column shop text check (length(shop) between 1 and 64);
alter table webhooks add column header_name text check (length(header_name) between 1 and 60);
