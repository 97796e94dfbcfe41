-- Of rules: where the piece goes, and what the customer was asked about it and has answered.
alter table return_items
  add column destination text check (length(destination) <= 40),
  add column destination_address text check (length(destination_address) <= 300),
  add column question text check (length(question) <= 300),
  add column answer text check (length(answer) <= 500);
