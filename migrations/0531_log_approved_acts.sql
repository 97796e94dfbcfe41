-- A rule may want a reason of the one who approves, and the log holds approvals of other acts than those of rules.
alter table approval_rules add column reason_required boolean not null default false;

alter table approval_requests
  add column act text not null default 'rule',
  add column reason_required boolean not null default false,
  add column reason text;
-- Of other acts there is no rule, and an order may be taken over that no session holds any more.
alter table approval_requests alter column rule_id drop not null, alter column session_id drop not null;
alter table approval_requests add constraint approval_requests_act_check
  check (act in ('rule', 'take_over', 'bypass', 'weight', 'cancel_rest')) not valid;
alter table approval_requests add constraint approval_requests_reason_check check (length(reason) <= 500) not valid;
