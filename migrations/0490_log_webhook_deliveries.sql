-- What a webhook was sent, for its log of 14 days. It may be about a person, so it stands apart from its delivery and can be erased.
create table webhook_bodies (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  delivery_id bigint not null,
  -- The time of the row in the outbox.
  delivery_at timestamptz not null,
  webhook_id bigint not null,
  -- The order that the event is about, directly or by its shipment or return.
  order_id bigint,
  sent_at timestamptz not null,
  body text not null check (length(body) <= 1000000),
  primary key (operator_id, delivery_id, delivery_at),
  foreign key (operator_id, company_id) references companies
);
create index webhook_bodies_of_order on webhook_bodies (operator_id, order_id) where order_id is not null;
create index webhook_bodies_of_webhook on webhook_bodies (operator_id, webhook_id);
create index webhook_bodies_sent on webhook_bodies (sent_at);
call enable_tenant_rls('webhook_bodies');

-- When a destination was paused by itself, when people were mailed about it, and how many of its deliveries waited too long.
alter table outbox_destinations
  add column paused_at timestamptz,
  add column pause_mailed_at timestamptz,
  add column lost integer not null default 0;
create index outbox_destinations_paused on outbox_destinations (operator_id, id) where paused_at is not null;
create index outbox_deliveries_of_destination on outbox_deliveries (operator_id, destination_id, at desc, id desc);
create index outbox_of_company on outbox (operator_id, company_id, id);

-- Mail accounts also send that a webhook was paused.
update outbox_destinations set events = events || array['outgoing_webhook.mail']
  where kind = 'mail' and not 'outgoing_webhook.mail' = any (events);
