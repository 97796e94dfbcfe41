-- The outer pack whose pieces are counted one by one, each with its serial number; null while none is.
alter table packing_sessions add column pack jsonb check (jsonb_typeof(pack) = 'object' and length(pack::text) <= 300);
