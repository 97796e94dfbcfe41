-- Photos that answer an approval rule are kept with those of open boxes.
alter table packing_photos add kind text not null default 'box' check (kind in ('box', 'approval'));

alter table approval_requests add photo_id bigint;
-- A photo answers one question.
create unique index approval_requests_photo on approval_requests (operator_id, photo_id) where photo_id is not null;
alter table approval_requests drop constraint approval_requests_method_check;
alter table approval_requests add constraint approval_requests_method_check check (method in ('pin', 'badge', 'photo', 'remote')) not valid;
