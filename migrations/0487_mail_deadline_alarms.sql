-- Mail accounts that exist already also send alarms of pickups and of printers.
update outbox_destinations set events = events || array(
    select type from unnest(array['deadline_alarm.mail', 'printer_alert.mail']) as t(type) where not type = any (events))
  where kind = 'mail';
