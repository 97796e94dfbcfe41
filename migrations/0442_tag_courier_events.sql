-- What the warehouse gets of a courier's event: an exception of the shipment, or a tag on its order.
alter table courier_event_settings add column us_action text not null default 'exception' check (us_action in ('exception', 'tag'));
alter table courier_event_settings add column tag_id bigint;
alter table courier_event_settings add constraint courier_event_settings_tag foreign key (operator_id, tag_id) references tags deferrable initially deferred;
