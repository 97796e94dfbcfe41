-- Parts that belong to a returned item, and whether each was with it.
alter table return_items add column accessories jsonb check (jsonb_typeof(accessories) = 'array');
