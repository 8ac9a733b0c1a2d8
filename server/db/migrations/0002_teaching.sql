-- Classes: how a pupil came into one ------------------------------------------

alter table group_members
  -- joined with the code, made by the teacher, or picked from the accounts of the school
  add column via text not null default 'picked' check (via in ('code', 'generated', 'picked')),
  add column added_by uuid references users on delete set null,
  add column added_at timestamptz not null default now();
create index groups_owner on groups (owner_id);

-- Grading -------------------------------------------------------------------

-- Every grade given or withdrawn by a person; null points: none.
create table grade_changes (
  id bigint generated always as identity primary key,
  attempt_id uuid not null references attempts on delete cascade,
  question_id uuid not null,
  operation_id uuid,
  at timestamptz not null,
  actor_id uuid references users on delete set null,
  old_points numeric(9, 2),
  new_points numeric(9, 2),
  comment text not null default '',
  reason text not null default ''
);
create index grade_changes_attempt on grade_changes (attempt_id, question_id);

-- A wrong key that was mended after attempts were made. Contents stay as they are: attempts are led
-- from the old content to a new one that differs in the key alone.
create table key_corrections (
  id uuid primary key,
  test_id uuid not null references tests on delete cascade,
  question_id uuid not null,
  at timestamptz not null,
  actor_id uuid references users on delete set null,
  reason text not null,
  old_question jsonb not null,
  new_question jsonb not null,
  rescored integer not null,
  changed integer not null
);
create index key_corrections_test on key_corrections (test_id);

-- Minutes given to several attempts at once: a repeated call has no second effect.
create table time_grants (
  key uuid primary key,
  test_id uuid not null references tests on delete cascade,
  actor_id uuid references users on delete set null,
  at timestamptz not null,
  minutes integer not null,
  reply jsonb not null
);

alter table tests add column updated_by uuid references users on delete set null;
create index operations_held on operations (attempt_id) where outcome = 'held' and kind = 'answer';
create index attempts_test on attempts (test_id) where deleted_at is null;
