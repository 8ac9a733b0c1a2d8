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
  key uuid primary key,
  actor_id uuid not null references users on delete cascade,
  reply jsonb not null,
  created_at timestamptz not null
);
