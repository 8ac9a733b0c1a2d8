-- Accounts and sessions ------------------------------------------------------

create table users (
  id uuid primary key,
  email text not null,
  user_name text not null,
  -- STUDENT=0, ADMIN=1, TEACHER=2
  role smallint not null default 0 check (role in (0, 1, 2)),
  password_hash text not null,
  blocked_at timestamptz,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

-- Only the SHA-256 of a token is kept.
create table sessions (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);

create table login_failures (
  -- 'account:…' or 'address:…', hashed
  key bytea primary key,
  window_start timestamptz not null,
  failures integer not null
);

-- One row: what belongs to the database as a whole.
create table server_state (
  single boolean primary key default true check (single),
  -- rises when a backup was restored
  epoch integer not null default 1,
  -- key of the receipts' seals; travels with every backup
  seal_key bytea not null,
  created_at timestamptz not null default now()
);

-- Classes --------------------------------------------------------------------

create table groups (
  id uuid primary key,
  name text not null,
  owner_id uuid not null references users,
  join_code text unique,
  created_at timestamptz not null
);

create table group_members (
  group_id uuid not null references groups on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (group_id, user_id)
);
create index group_members_user on group_members (user_id);

-- Tests ----------------------------------------------------------------------

create table tests (
  id uuid primary key,
  owner_id uuid not null references users,
  lifecycle text not null default 'draft' check (lifecycle in ('draft', 'active', 'archived')),
  -- rises with every edit of the test; a stale one is refused
  version integer not null default 1,
  name text not null,
  description text not null default '',
  theme text not null default '',
  topic text not null default '',
  difficulty text not null default '',
  attempts_count integer not null default 1 check (attempts_count >= 1),
  start_time timestamptz,
  end_time timestamptz,
  pass_seconds integer not null check (pass_seconds > 0),
  -- «Ответы, дошедшие после срока»
  late_window_seconds integer not null default 900 check (late_window_seconds >= 0),
  open_to_all boolean not null default false,
  -- which attempt makes the mark
  counted_attempt text not null default 'best' check (counted_attempt in ('best', 'last', 'average')),
  -- {ownAnswers, points, correctAnswers}: atOnce | afterClose | never
  visibility jsonb not null default '{"ownAnswers":"atOnce","points":"atOnce","correctAnswers":"afterClose"}',
  -- the version of the questions that the next attempt pins
  content_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index tests_owner on tests (owner_id);
create index tests_open on tests (lifecycle) where open_to_all;

-- Questions with keys. Rows are never changed: attempts pin them.
create table test_contents (
  id uuid primary key,
  test_id uuid not null references tests on delete cascade,
  questions jsonb not null,
  max_points numeric(9, 2) not null,
  created_at timestamptz not null
);
create index test_contents_test on test_contents (test_id);
alter table tests add constraint tests_content foreign key (content_id) references test_contents;

create table assignments (
  id uuid primary key,
  test_id uuid not null references tests on delete cascade,
  user_id uuid references users on delete cascade,
  group_id uuid references groups on delete cascade,
  created_at timestamptz not null,
  check ((user_id is null) <> (group_id is null)),
  unique (test_id, user_id),
  unique (test_id, group_id)
);
create index assignments_user on assignments (user_id) where user_id is not null;
create index assignments_group on assignments (group_id) where group_id is not null;

-- One person's own time and attempts on a test.
create table personal_terms (
  test_id uuid not null references tests on delete cascade,
  user_id uuid not null references users on delete cascade,
  extra_seconds integer not null default 0 check (extra_seconds >= 0),
  attempts_count integer check (attempts_count >= 1),
  primary key (test_id, user_id)
);

-- Passing --------------------------------------------------------------------

create table attempts (
  id uuid primary key,
  test_id uuid not null references tests,
  user_id uuid not null references users on delete cascade,
  content_id uuid not null references test_contents,
  number integer not null,
  started_at timestamptz not null,
  deadline timestamptz not null,
  late_window_seconds integer not null,
  -- null while neither finished nor closed
  ended text check (ended in ('finished', 'closed')),
  ended_at timestamptz,
  finish_operation uuid,
  -- the stream that first held it: calls without a stream header mean this one
  default_stream uuid not null,
  active_stream uuid not null,
  active_epoch integer not null,
  deleted_at timestamptz,
  -- made again from sealed receipts after a restore
  recovered_at timestamptz,
  -- computed when ended, and again whenever what counts changes
  points numeric(9, 2),
  points_without_late numeric(9, 2),
  graded_max numeric(9, 2),
  unique (test_id, user_id, number)
);
create index attempts_user on attempts (user_id, test_id);
create index attempts_open on attempts (deadline) where ended is null and deleted_at is null;

-- Holdings of an attempt by installations; the highest epoch owns it.
create table streams (
  attempt_id uuid not null references attempts on delete cascade,
  id uuid not null,
  epoch integer not null,
  created_at timestamptz not null,
  last_heard_at timestamptz not null,
  -- highest sequence the device said it wrote, and when it said so
  head integer not null default 0,
  head_at timestamptz,
  primary key (attempt_id, id)
);

-- Replies to start keys, refusals included: a repeat replays them and has no effect.
create table start_keys (
  user_id uuid not null references users on delete cascade,
  key uuid not null,
  fingerprint text not null,
  -- {attemptId, stream, epoch} or {code, details}
  reply jsonb not null,
  created_at timestamptz not null,
  primary key (user_id, key)
);

-- The journal: every operation that arrived with a valid id and sequence, whatever became of it.
create table operations (
  attempt_id uuid not null references attempts on delete cascade,
  id uuid not null,
  stream uuid not null,
  epoch integer not null,
  -- null: sent without one
  sequence integer,
  -- the sequence that orders it: its own, or the stream's highest at receipt
  rank integer not null,
  -- order of receipt
  ordinal bigint generated always as identity,
  kind text not null check (kind in ('answer', 'finish')),
  question_id uuid,
  body jsonb,
  body_digest bytea not null,
  outcome text not null check (outcome in ('stored', 'superseded', 'held', 'refused')),
  -- error code of a refused one
  refusal text,
  received_late boolean not null default false,
  written_at timestamptz,
  age_ms bigint,
  seen_server_at timestamptz,
  received_at timestamptz not null,
  -- what the teacher decided of a held one
  decision text check (decision in ('accepted', 'refused')),
  decided_by uuid references users,
  decided_at timestamptz,
  primary key (attempt_id, id)
);
create unique index operations_sequence on operations (attempt_id, stream, sequence) where sequence is not null;
create index operations_question on operations (attempt_id, question_id, epoch desc, rank desc, ordinal desc);

-- Sequences that no operation of their own will fill: a second sequence of a known operation
-- (operation_id set), folded into a newer answer, or set aside on the device.
create table spare_sequences (
  attempt_id uuid not null references attempts on delete cascade,
  stream uuid not null,
  sequence integer not null,
  operation_id uuid,
  reason text not null check (reason in ('renumbered', 'folded', 'setAside')),
  primary key (attempt_id, stream, sequence)
);

-- What counts now, one row a question: derived from the journal.
create table answers (
  attempt_id uuid not null references attempts on delete cascade,
  question_id uuid not null,
  operation_id uuid not null,
  epoch integer not null,
  sequence integer,
  rank integer not null,
  ordinal bigint not null,
  body jsonb not null,
  received_late boolean not null,
  received_at timestamptz not null,
  primary key (attempt_id, question_id)
);

-- Uploads of file answers. Bytes lie on disk: `received` of them are good.
create table uploads (
  id uuid primary key,
  attempt_id uuid not null references attempts on delete cascade,
  question_id uuid not null,
  name text not null,
  mime_type text not null,
  size integer not null,
  sha256 text not null,
  received integer not null default 0,
  completed_at timestamptz,
  set_aside boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index uploads_attempt on uploads (attempt_id);

-- Pictures of questions, by an opaque key.
create table pictures (
  key uuid primary key,
  test_id uuid not null references tests on delete cascade,
  mime_type text not null,
  bytes bytea not null,
  created_at timestamptz not null
);

create table grades (
  attempt_id uuid not null references attempts on delete cascade,
  question_id uuid not null,
  -- the answer that it grades; null: there was none
  operation_id uuid,
  points numeric(9, 2) not null,
  comment text not null default '',
  graded_by uuid not null references users,
  graded_at timestamptz not null,
  primary key (attempt_id, question_id)
);

-- Every change of a mark, with the old one.
create table score_changes (
  id bigint generated always as identity primary key,
  attempt_id uuid not null references attempts on delete cascade,
  at timestamptz not null,
  reason text not null,
  actor_id uuid references users,
  old_points numeric(9, 2),
  new_points numeric(9, 2)
);
create index score_changes_attempt on score_changes (attempt_id);

-- Operations of attempts that a restored database does not know and no sealed receipt proves.
create table stray_operations (
  user_id uuid not null references users on delete cascade,
  attempt_id uuid not null,
  id uuid not null,
  headers jsonb not null,
  body jsonb,
  received_at timestamptz not null,
  primary key (user_id, id)
);
