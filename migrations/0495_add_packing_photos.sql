-- Photos of open boxes. The row stays when the file is deleted: that there was a photo is an answer too.
create table packing_photos (
  operator_id bigint not null default current_operator_id(),
  company_id bigint not null default current_company_id(),
  id bigint generated always as identity,
  -- Made by the station: the same photo sent again is stored once.
  client_id uuid not null,
  order_id bigint not null,
  session_id bigint not null,
  parcel_no integer not null check (parcel_no between 1 and 999),
  station text not null check (length(station) <= 100),
  -- Null once the photo is deleted.
  file_id bigint,
  taken_at timestamptz not null,
  taken_by text not null check (length(taken_by) <= 200),
  delete_after timestamptz not null,
  deleted_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, company_id) references companies,
  foreign key (operator_id, order_id) references orders on delete cascade,
  foreign key (operator_id, session_id) references packing_sessions on delete cascade
);
create unique index packing_photos_by_client_id on packing_photos (operator_id, client_id);
create index packing_photos_of_order on packing_photos (operator_id, order_id, taken_at);
create index packing_photos_of_session on packing_photos (operator_id, session_id, parcel_no);
create index packing_photos_of_company on packing_photos (operator_id, company_id);
create index packing_photos_to_delete on packing_photos (delete_after) where deleted_at is null;
call enable_tenant_rls('packing_photos');
