-- Leave and availability that last into some days are found without all the entries before them. `greatest` passes over a missing last day;
-- the conditions of row security would keep `coalesce` out of the index.
create index schedule_entries_lasting on schedule_entries (operator_id, company_id, (greatest(work_date, date_to))) where kind <> 'shift';
