-- What orders of one parcel have in common, as a hash; null where an order does not wait to be picked, is a part or has no shipping method. The
-- triggers write it, whatever release or statement changes the row.
alter table orders add combine_key bytea;

-- Alike but for case, accents, punctuation, spaces and signs: by code points, so that no locale changes it. Marks of other scripts than Latin, Greek
-- and Cyrillic stay: orders that are written with and without them have two keys.
create function combine_text(written text) returns text language sql immutable parallel safe as $$
  select translate(regexp_replace(lower(normalize(coalesce(written, ''), nfkd)),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02eb\u02ed\u02ef-\u036f\u0375\u037e\u0384-\u0385\u0387\u0482-\u0489\u2000-\u206f\u20a0-\u2101\u2190-\u245f\u2500-\u2775\u2794-\u2bff\u2e00-\u2e2e\u2e30-\u3004\u3008-\u3020\u302a-\u3030\u3099-\u309c\u30a0\u30fb\ufe00-\ufe6f\ufeff\uffe0-\uffff\U0001f000-\U0001fbef]+',
    '', 'g'), 'ς', 'σ') $$;

create function set_combine_key() returns trigger language plpgsql as $$
begin
  new.combine_key := case when new.phase = 'ready' and new.split_of is null and new.agent_code is not null and new.shipping_method is not null
    then substr(sha256(convert_to(array_to_string(array[
      combine_text(new.ship_to ->> 'name'),
      combine_text(new.ship_to ->> 'company'),
      combine_text(concat(new.ship_to ->> 'address1', new.ship_to ->> 'address2')),
      combine_text(new.ship_to ->> 'postcode'),
      combine_text(new.ship_to ->> 'city'),
      combine_text(new.ship_to ->> 'country'),
      combine_text(new.ship_to ->> 'instruction'),
      combine_text(new.ship_to ->> 'door_code'),
      new.agent_code,
      new.shipping_method,
      new.service_point ->> 'id',
      new.delivery ->> 'wished_date',
      new.currency,
      new.payment_state,
      case when jsonb_typeof(new.customs) = 'object' then
        (select jsonb_object_agg(c.key, c.value)::text from jsonb_each(new.customs) c where c.value not in ('null', '""')) end
    ], E'\n', ''), 'UTF8')), 1, 16) end;
  return new;
end $$;

create trigger combine_key_of_new before insert on orders for each row
  when (new.phase = 'ready' or new.combine_key is not null) execute function set_combine_key();
create trigger combine_key_of_changed before update of phase, split_of, ship_to, agent_code, shipping_method, service_point, delivery, currency,
  payment_state, customs on orders for each row
  when (new.phase = 'ready' or old.combine_key is not null) execute function set_combine_key();
