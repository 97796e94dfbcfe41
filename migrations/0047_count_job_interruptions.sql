-- A job that was running when its server died is started again; one that may itself end the server must not be, time after time.
alter table jobs add column interruptions integer not null default 0;
