-- Links of boards with deadlines: which deadlines they show, and until when they hold.
alter table board_tokens drop constraint board_tokens_kind_check;
alter table board_tokens add constraint board_tokens_kind_check check (kind in ('punchclock', 'deadlines'));
alter table board_tokens
  -- A link that is made again with the same id is the same one.
  add column client_id uuid,
  -- `{ deadline_ids, figures }`; empty for other kinds.
  add column scope jsonb not null default '{}' check (length(scope::text) <= 2000),
  add column expires_at timestamptz;
create unique index board_tokens_client on board_tokens (operator_id, company_id, client_id) where client_id is not null;
