-- Orders that may go in one parcel are found by their key.
drop index orders_waiting_of_customer;
