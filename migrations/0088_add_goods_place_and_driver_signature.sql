-- The station at which the items of a reopened order lie, until they are packed again or put back.
alter table orders add column goods_at text;
-- What the driver drew on the screen: the path of an SVG drawing, 600 wide and 200 high.
alter table collect_lists add column driver_signature text check (length(driver_signature) <= 20000);
