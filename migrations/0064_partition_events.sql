call partition_by_month('events', 'at');
