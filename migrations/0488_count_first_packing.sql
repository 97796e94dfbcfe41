-- Figures count an order once, when its first parcel is packed: days that are stored are counted again.
delete from activity_days;
delete from activity_hours;
create index returns_by_request on returns (operator_id, company_id, requested_at);
