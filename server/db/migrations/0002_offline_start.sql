-- A test that begins without a network: offers, start codes and begins.
alter table tests
  add column offline_start boolean not null default false,
  -- how late answers count after such a begin; null: until the end of the school's day
  add column offline_window_seconds integer check (offline_window_seconds >= 0);

-- Begun without a network, and the teacher has not accepted that: nothing of it is shown to its student.
alter table attempts add column begin_held boolean not null default false;

-- What opens the offers of a test; a new one replaces them.
create table start_codes (
  test_id uuid primary key references tests on delete cascade,
  code text not null,
  salt bytea not null,
  -- derived from the code, once
  code_key bytea not null,
  version integer not null,
  made_at timestamptz not null,
  show_from timestamptz,
  shown_at timestamptz
);

-- A student's own next attempt, prepared; the id becomes the attempt's.
create table offers (
  id uuid primary key,
  test_id uuid not null references tests on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- the test's content at that time, and the draw of it
  source_id uuid not null references test_contents on delete cascade,
  content_id uuid not null references test_contents on delete cascade,
  number integer not null,
  -- everything else that makes a new offer when it changes
  terms jsonb not null,
  code_version integer not null,
  made_at timestamptz not null,
  replaced_at timestamptz
);
create unique index offers_current on offers (test_id, user_id) where replaced_at is null;
create index offers_user on offers (user_id);
create index offers_source on offers (source_id);
create index offers_content on offers (content_id);

-- Begins of offers by installations, with their evidence.
create table begins (
  attempt_id uuid not null references attempts on delete cascade,
  stream uuid not null,
  code_version integer not null,
  received_at timestamptz not null,
  begun_at timestamptz not null,
  -- as the device reported; null: unknown
  age_ms bigint,
  seen_server_at timestamptz,
  -- why it waits for the teacher; null: it counts
  hold text,
  decision text check (decision in ('accept', 'refuse')),
  decided_by uuid references users on delete set null,
  decided_at timestamptz,
  primary key (attempt_id, stream)
);
create index begins_decided_by on begins (decided_by) where decided_by is not null;
