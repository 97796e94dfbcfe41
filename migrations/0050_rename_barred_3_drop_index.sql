drop index shipments_one_live;
