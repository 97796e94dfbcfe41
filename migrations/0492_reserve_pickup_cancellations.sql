-- Until when one request alone may ask the courier to cancel: two at once would ask twice.
alter table pickups add column cancelling_until timestamptz;
