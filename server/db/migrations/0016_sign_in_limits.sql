-- Counted failures leak away one by one instead of ending together after a window: what is counted now is forgotten.
delete from login_failures;
alter table login_failures
  drop column window_start,
  drop column failures,
  -- the hash of the account's e-mail, so that its failures from everywhere can be forgiven
  add column account bytea,
  -- when nothing of them counts any more
  add column drained_at timestamptz not null;
create index login_failures_account on login_failures (account);
