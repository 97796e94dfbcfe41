-- The parcel shop where the customer hands the parcel in, as it was when they chose it.
alter table returns add column drop_off jsonb;
