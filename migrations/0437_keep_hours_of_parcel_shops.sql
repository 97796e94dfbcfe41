-- When parcel shops are open, in the words of their courier, for the page on which recipients follow their parcels.
alter table parcel_shops add column opening_hours text[] not null default '{}' check (cardinality(opening_hours) <= 14);
