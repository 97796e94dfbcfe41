-- The id that a station gave to a recording: the same request again answers the same clip, and a new one gets the next part.
alter table packing_videos add column client_id uuid;
create unique index packing_videos_by_client on packing_videos (operator_id, client_id) where client_id is not null;
