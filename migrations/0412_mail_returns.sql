-- Mail accounts also send what customers learn of their returns.
update outbox_destinations set events = events || array['return.mail']
  where kind = 'mail' and not 'return.mail' = any (events);
