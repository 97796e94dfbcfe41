-- Apart from adding it, so that reading the rows blocks no one.
alter table approval_requests validate constraint approval_requests_method_check;
