-- When the user of a session last showed who they are without a password: by a passkey, or by signing in anew at the provider.
alter table sessions add column proved_at timestamptz;
alter table sign_in_challenges drop constraint sign_in_challenges_kind_check;
alter table sign_in_challenges add constraint sign_in_challenges_kind_check
  check (kind in ('second_factor', 'setup', 'totp', 'passkey', 'new_passkey', 'provider', 'identity', 'invitation', 'proof'));
