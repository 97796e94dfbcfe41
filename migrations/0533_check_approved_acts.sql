-- Apart from adding them, so that reading the rows blocks no one.
alter table approval_requests validate constraint approval_requests_act_check;
alter table approval_requests validate constraint approval_requests_reason_check;
