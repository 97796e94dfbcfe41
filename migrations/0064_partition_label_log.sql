call partition_by_month('label_log', 'created_at');
