-- Returned pieces go back into their bins too; one that no line of the order knows has none.
alter table put_backs
  alter column order_line_id drop not null,
  add column return_id bigint,
  drop constraint put_backs_reason_check,
  add constraint put_backs_reason_check
    check (reason in ('order_cancelled', 'list_cancelled', 'order_removed', 'order_changed', 'short', 'return'));
