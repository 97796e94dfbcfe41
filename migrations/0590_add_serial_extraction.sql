-- Where a serial number stands in a longer code: up to three steps, each a position or a part between separators. Empty: the code is the serial number.
alter table serial_rules add column extract jsonb not null default '[]' check (jsonb_typeof(extract) = 'array' and length(extract::text) <= 600);
