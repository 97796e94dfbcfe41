-- Britain lets a person agree to work more than 48 hours a week on average: from which day, and the last day of it.
alter table employees add column average_opt_out_from date;
alter table employees add column average_opt_out_to date;
alter table employees add constraint employees_average_opt_out check (average_opt_out_from <= average_opt_out_to) not valid;
