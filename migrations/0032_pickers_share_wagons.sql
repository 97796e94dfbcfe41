-- Who walks with a wagon: the one who claimed it and those who joined. Somebody who left (handed it over, or was taken over) keeps the row:
-- what they picked before that, in a dead spot, still counts.
create table pick_wagon_people (
  operator_id bigint not null default scope_operator(),
  pick_list_id bigint not null,
  wagon_no integer not null,
  user_id bigint not null,
  user_name text not null,
  joined_at timestamptz not null default now(),
  left_at timestamptz,
  primary key (operator_id, pick_list_id, wagon_no, user_id),
  foreign key (operator_id, pick_list_id, wagon_no) references pick_wagons on delete cascade
);
create index pick_wagon_people_of_user on pick_wagon_people (operator_id, user_id) where left_at is null;
call wall('pick_wagon_people', 'operator');

-- When somebody scanned for a line: after a while it is anybody's again.
alter table pick_lines add column taken_at timestamptz;

-- What a picker did last and can take back.
create index pick_scans_of_user on pick_scans (operator_id, pick_list_id, wagon_no, user_id, received_at desc);
