-- What the recipient of a template can answer by its link.
alter table message_templates add column choices text[] not null default '{}' check (cardinality(choices) <= 5
  and choices <@ array['ship_partially', 'wait', 'cancel_line', 'new_address', 'other_shop']);
