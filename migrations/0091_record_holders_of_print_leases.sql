-- Which process holds the lease of a print job: when it has died, the job is taken up before the lease ends.
alter table print_jobs add column leased_by text;
