-- Scans are only ever added, in the order of time: block ranges are enough to find a day among millions, and cost a scan nothing.
create index packing_scans_by_time on packing_scans using brin (at) with (pages_per_range = 16, autosummarize = on);
create index packing_sessions_by_end on packing_sessions (operator_id, ended_at) where ended_at is not null;
create index pick_wagons_by_end on pick_wagons (operator_id, picked_at) where picked_at is not null;
