-- Kiosks, stations and boards sign in by accounts of their own: they stay signed in for longer, and open little.
alter table users add column kind text not null default 'person' check (kind in ('person', 'device'));
