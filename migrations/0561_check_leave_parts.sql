-- Apart from adding it, so that reading the rows blocks no one.
alter table schedule_entries validate constraint schedule_entries_part_check;
