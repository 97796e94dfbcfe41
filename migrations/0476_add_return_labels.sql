-- Return labels that customers get from the portal: by which courier and method, and at what price.
alter table return_portal_offers
  add column label_agent_code text check (length(label_agent_code) <= 64),
  add column label_method text check (length(label_method) <= 64),
  -- Minor units of the company's currency.
  add column label_price bigint not null default 0 check (label_price >= 0);

alter table returns
  -- What of the fee is the price of the label.
  add column postage bigint not null default 0 check (postage >= 0),
  -- The request that makes the label: the same id makes one parcel. Another one follows where the courier refused.
  add column label_client_id uuid,
  add column label_attempts integer not null default 0 check (label_attempts between 0 and 20);
create index returns_by_label on returns (operator_id, label_client_id) where label_client_id is not null;
