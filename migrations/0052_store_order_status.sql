-- The status of an order becomes a plain column: the commands that change an order store it. The catalogue alone changes, so the lock is short.
alter table orders alter column phase drop expression;
alter table orders alter column phase set default 'new';
