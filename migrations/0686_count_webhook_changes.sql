-- Two people who change one webhook do not write over each other.
alter table webhooks add column version integer not null default 1;
