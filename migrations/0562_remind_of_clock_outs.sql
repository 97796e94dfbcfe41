-- When the person was mailed about a clock-out that is missing, and when the leads were; each once for an entry.
alter table punches add column reminded_at timestamptz, add column leads_reminded_at timestamptz;
create index punches_leads_to_remind on punches (reminded_at) where reminded_at is not null and leads_reminded_at is null;

-- Mail accounts that exist already send them too.
update outbox_destinations set events = events || array(
    select type from unnest(array['user.clock_out_missing', 'user.clock_outs_missing']) as t(type) where not type = any (events))
  where kind = 'mail';
