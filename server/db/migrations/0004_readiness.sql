-- Whether a student's devices are ready for a test without a network: the last report of each.
create table readiness_reports (
  test_id uuid not null references tests on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- random, chosen by the installation
  device_id uuid not null,
  -- codes of the contract; a ready device has none, or only advice
  problems text[] not null,
  app_version text not null,
  reported_at timestamptz not null,
  primary key (test_id, user_id, device_id)
);
create index readiness_reports_user on readiness_reports (user_id);
