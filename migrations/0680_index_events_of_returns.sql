-- The timeline of a return: also of one that came without an order. Readers go on; writers wait for the index.
create index events_of_return on events (operator_id, subject_id, at) where subject = 'return';
