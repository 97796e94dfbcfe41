-- A shop may change an order while it is picked: pieces that nobody asks for any more go back under a reason of their own.
alter table put_backs
  drop constraint put_backs_reason_check,
  add constraint put_backs_reason_check check (reason in ('order_cancelled', 'list_cancelled', 'order_removed', 'order_changed', 'short'));
