-- Sign-ins as their owner sees them ----------------------------------------------

alter table sessions
  add column id uuid not null default gen_random_uuid(),
  -- as the browser named itself, cut short
  add column user_agent text;
create unique index sessions_id on sessions (id);

-- Administration -----------------------------------------------------------------

-- A person whose data were erased, kept without a name because others' results hang on it.
alter table users add column erased_at timestamptz;

-- Names are read from the accounts and projects themselves, so that an erasure reaches them here too.
create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  actor_id uuid references users on delete set null,
  act text not null,
  subject_kind text check (subject_kind in ('user', 'project')),
  subject_id uuid,
  -- words and numbers of the act, never names or passwords
  details jsonb not null default '{}'
);
create index audit_log_at on audit_log (at desc, id desc);
create index audit_log_subject on audit_log (subject_id);

-- Replies to batches of an import: a repeat makes nobody twice.
create table import_batches (
  -- derived from the key that the caller made; the key itself opens `passwords` and is not kept
  id uuid primary key,
  actor_id uuid not null references users on delete cascade,
  -- SHA-256 of the rows
  digest bytea not null,
  -- what became of each row, without names and passwords
  reply jsonb not null,
  -- made passwords, sealed; null: none, or they were shown long enough ago
  passwords bytea,
  created_at timestamptz not null
);
create index import_batches_actor on import_batches (actor_id);

-- Erasure ------------------------------------------------------------------------

-- Whether something hangs on an account is asked once, at its erasure, and must not read whole tables.
create index operations_decided_by on operations (decided_by) where decided_by is not null;
create index grades_graded_by on grades (graded_by);
create index score_changes_actor on score_changes (actor_id) where actor_id is not null;
create index grade_changes_actor on grade_changes (actor_id) where actor_id is not null;
create index key_corrections_actor on key_corrections (actor_id) where actor_id is not null;
create index time_grants_actor on time_grants (actor_id) where actor_id is not null;
create index group_members_added_by on group_members (added_by) where added_by is not null;
create index pictures_owner on pictures (owner_id) where owner_id is not null;
create index audit_log_actor on audit_log (actor_id) where actor_id is not null;
