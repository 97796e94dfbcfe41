-- A rule leaves the piece with its customer: nothing is sent back, and its money goes on once the return is approved.
alter table return_items add column keeps boolean not null default false;
