-- The hours of today that have ended are stored too: until when, or null where the whole day is stored.
alter table activity_days add column counted_until timestamptz;
