-- Reads the whole table, and keeps no reader out while it does.
alter table files validate constraint files_bytes_64;
-- From here on each statement changes the catalogue only; the valid constraint saves another look at every row.
alter table files alter column bytes_64 set not null;
alter table files drop constraint files_bytes_64;
alter table files drop column bytes;
alter table files rename column bytes_64 to bytes;
alter table files force row level security;
