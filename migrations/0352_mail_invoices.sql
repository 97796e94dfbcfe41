-- Mail accounts also send invoices, and samples of them.
update outbox_destinations set events = events || array['invoice.mail', 'bulk_config.sample']
  where kind = 'mail' and not 'invoice.mail' = any (events);
