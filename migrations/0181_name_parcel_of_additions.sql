-- The parcel that an additional product lies in: it counts towards its weight and its customs papers.
alter table order_additions add column parcel_no integer check (parcel_no >= 1);
