-- Where the courier documents it, a customer shows a code where the parcel is handed in. What it opens is the courier's.
alter table shipments add column qr_link text check (length(qr_link) <= 500);

alter table return_portal_offers
  -- Another price by country: [{"country": "DE", "price": 5900}], in minor units of the company's currency.
  add column label_countries jsonb not null default '[]' check (octet_length(label_countries::text) <= 10000),
  add column qr_agent_code text check (length(qr_agent_code) <= 64),
  add column qr_method text check (length(qr_method) <= 64),
  add column qr_price bigint not null default 0 check (qr_price >= 0),
  add column qr_countries jsonb not null default '[]' check (octet_length(qr_countries::text) <= 10000);
