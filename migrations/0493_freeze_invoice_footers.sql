-- The footer as it was printed when the invoice was issued; null on invoices of before, which print the footer of today.
alter table trade_invoices add column footer text check (length(footer) <= 2000);
