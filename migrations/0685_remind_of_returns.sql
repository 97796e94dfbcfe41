-- When the customer of an approved return was reminded that it ends unless it is sent.
alter table returns add column reminded_at timestamptz;
