-- Apart from adding it, so that reading the rows blocks no one.
alter table bulk_jobs validate constraint bulk_jobs_action_check;
