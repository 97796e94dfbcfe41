-- What the members of a group may do at packing stations as a lead may, and at which stations; none named means at all of them.
alter table user_groups
  add column stations text[] check (cardinality(stations) between 1 and 100),
  add column acts text[] not null default '{}'
    check (acts <@ array['bypass', 'take_over', 'cancel_rest', 'approve', 'weight', 'reprint', 'unpack']);
