-- A settings form shows who saved it last, and when.
alter table companies add column changed_at timestamptz, add column changed_by text;
