-- The id that a client gave to a first print, so that the same request again answers the same job. Copies carry it in their key.
alter table print_jobs add column client_id uuid;
