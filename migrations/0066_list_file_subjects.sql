-- Files of orders that are stored already. A step of its own, which locks nothing: it reads every shipment.
-- Row-level security is forced for the owner of the tables too.
set local role pakhus_system;
insert into file_subjects (operator_id, company_id, subject_type, subject_id, file_id)
  select s.operator_id, s.company_id, 'order', s.order_id, f.id from shipments s
    cross join lateral unnest(array[s.label_pdf_file_id, s.label_a4_file_id, s.label_zpl_file_id]) as f(id) where s.order_id is not null and f.id is not null
  union select d.operator_id, d.company_id, 'order', s.order_id, d.file_id from shipment_documents d
    join shipments s on s.operator_id = d.operator_id and s.id = d.shipment_id where s.order_id is not null
  union select operator_id, company_id, 'order', order_id, file_id from print_jobs where order_id is not null
  union select operator_id, company_id, 'order', order_id, photo_file_id from pick_shorts where photo_file_id is not null
  on conflict do nothing;
reset role;
