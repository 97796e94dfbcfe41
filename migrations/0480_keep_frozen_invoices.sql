-- A frozen invoice stays until the law lets it go, whatever role deletes and whether it has lines or not.
create function keep_frozen_invoice() returns trigger language plpgsql as $$
begin
  if old.state <> 'draft' and (old.kept_until is null or old.kept_until >= current_date) then
    raise exception 'The frozen invoice % is kept until %', old.invoice_no, coalesce(old.kept_until::text, 'its time ends') using errcode = 'PK001';
  end if;
  return old;
end $$;
create trigger trade_invoices_kept before delete on trade_invoices for each row execute function keep_frozen_invoice();
