-- Files that another server has stored meanwhile. Readers go on; writers wait for this short statement.
lock table files in share mode;
update files set bytes_64 = bytes where bytes_64 is null;
-- Checked for new rows only; the next step checks the others without a lock.
alter table files add constraint files_bytes_64 check (bytes_64 is not null) not valid;
alter table files alter column bytes drop not null;
