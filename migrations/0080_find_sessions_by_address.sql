-- Signing in asks from which addresses a user has signed in before.
create index sessions_of_address on sessions (operator_id, ip, created_at);
