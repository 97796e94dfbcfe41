-- Keys of video recorders: for which cameras at which stations each may deliver clips.
create table recorder_keys (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 120),
  -- What stands before the secret, to distinguish keys.
  prefix text not null check (length(prefix) <= 30),
  key_hash bytea not null,
  -- Array of { station, channel }.
  channels jsonb not null default '[]',
  last_seen_at timestamptz,
  created_by_name text not null check (length(created_by_name) <= 200),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies
);
create index recorder_keys_by_hash on recorder_keys (key_hash) where revoked_at is null;
create index recorder_keys_of_company on recorder_keys (operator_id, company_id, id);
call enable_tenant_rls('recorder_keys');

-- Clips of packing sessions. The row stays when the file is deleted: that there was a clip is an answer too.
create table packing_videos (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  order_id bigint not null,
  session_id bigint not null,
  station text not null check (length(station) <= 100),
  -- The camera of a recorder; '' for the station's own.
  channel text not null default '' check (length(channel) <= 40),
  part_no integer not null check (part_no between 1 and 99),
  source text not null check (source in ('station', 'recorder')),
  recorder_key_id bigint,
  state text not null check (state in ('requested', 'recording', 'uploading', 'processing', 'available', 'expired', 'failed')),
  starts_at timestamptz not null,
  ends_at timestamptz,
  media_type text check (length(media_type) <= 100),
  duration_ms integer,
  bytes bigint,
  file_id bigint,
  -- More than ten seconds without a key frame: a player cannot seek exactly.
  coarse boolean not null default false,
  -- A code of the reasons why no clip could be made.
  error text check (error in
    ('no_data', 'not_video', 'no_picture', 'several_pictures', 'codec', 'too_long', 'too_slow', 'damaged', 'hash')),
  held_until date,
  held_by_name text check (length(held_by_name) <= 200),
  -- Erased with the recipient.
  held_reason text check (length(held_reason) <= 2000),
  delete_after timestamptz not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, session_id) references packing_sessions on delete cascade
);
create unique index packing_videos_parts on packing_videos (operator_id, session_id, channel, part_no);
create index packing_videos_of_order on packing_videos (operator_id, order_id, starts_at);
create index packing_videos_of_company on packing_videos (operator_id, company_id);
create index packing_videos_to_delete on packing_videos (delete_after) where state = 'available';
create index packing_videos_kept on packing_videos (operator_id, starts_at) include (bytes) where state = 'available';
call enable_tenant_rls('packing_videos');

-- A clip while it arrives in pieces. What is stored of it is known to be on the disk.
create table video_uploads (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  video_id bigint not null,
  received_bytes bigint not null default 0,
  last_at timestamptz not null,
  finished_at timestamptz,
  -- Of the whole, in hexadecimal, where the sender says it.
  sha256 text check (length(sha256) <= 64),
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, video_id) references packing_videos on delete cascade
);
create unique index video_uploads_of_video on video_uploads (operator_id, video_id);
create index video_uploads_open on video_uploads (last_at) where finished_at is null;
create index video_uploads_of_company on video_uploads (operator_id, company_id);
call enable_tenant_rls('video_uploads');

-- Links by which people without a login see one clip until a time.
create table video_shares (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  video_id bigint not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  -- The clip ends before the label is printed, because the label shows an address.
  cut_at_label boolean not null,
  cut_ms integer,
  -- The cut clip; the whole one where nothing is cut.
  file_id bigint,
  views integer not null default 0,
  created_by_name text not null check (length(created_by_name) <= 200),
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, video_id) references packing_videos on delete cascade
);
create index video_shares_by_token on video_shares (operator_id, token_hash);
create index video_shares_of_video on video_shares (operator_id, video_id);
create index video_shares_of_company on video_shares (operator_id, company_id);
call enable_tenant_rls('video_shares');

-- The access log: who saw which clip, once for ten minutes.
create table video_views (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  video_id bigint not null,
  order_id bigint not null,
  user_id bigint,
  -- Null where a shared link was used.
  viewer_name text check (length(viewer_name) <= 200),
  share_id bigint,
  viewed_at timestamptz not null,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, video_id) references packing_videos on delete cascade
);
create index video_views_of_video on video_views (operator_id, video_id, viewed_at desc);
create index video_views_by_time on video_views (operator_id, company_id, id desc);
call enable_tenant_rls('video_views');
