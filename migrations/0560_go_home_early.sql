-- Who goes home ill, or because a child is, is on leave for the rest of the shift: `start_at` to `end_at` of the leave, without `break_s`.
alter table schedule_entries drop constraint schedule_entries_part_check,
  add constraint schedule_entries_part_check check (part in ('full', 'morning', 'afternoon', 'rest')) not valid;
-- Of such a leave: its hundredths of the shift's paid time.
alter table schedule_entries add column share_c smallint check (share_c between 1 and 100);
-- Why somebody clocked out well before the end of the shift. An illness is a leave and stands there alone.
alter table punches add column early_out text check (early_out in ('finished', 'agreed', 'other'));
