-- Without a lock on the table: rows of files are never updated, so nothing else waits for these rows.
update files set bytes_64 = bytes where bytes_64 is null;
