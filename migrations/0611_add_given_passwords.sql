-- A password that an administrator wrote or let be made: it opens no session, only the page on which its user chooses an own one.
alter table users add column password_given boolean not null default false;
alter table password_links drop constraint password_links_purpose_check;
alter table password_links add constraint password_links_purpose_check check (purpose in ('invitation', 'forgotten', 'given')) not valid;
