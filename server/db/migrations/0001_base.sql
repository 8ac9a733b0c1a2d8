-- The server -------------------------------------------------------------------

-- One row: what belongs to the database as a whole.
create table server_state (
  single boolean primary key default true check (single),
  -- rises when a backup was restored
  epoch integer not null default 1,
  -- key of the receipts' seals; travels with every backup
  seal_key bytea not null,
  created_at timestamptz not null default now()
);

-- Accounts and sign-ins --------------------------------------------------------

create table users (
  id uuid primary key,
  email text not null,
  user_name text not null,
  -- STUDENT=0, ADMIN=1, TEACHER=2
  role smallint not null default 0 check (role in (0, 1, 2)),
  password_hash text not null,
  blocked_at timestamptz,
  -- A person whose data were erased, stored without a name because others' results depend on the row.
  erased_at timestamptz,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

create table sessions (
  -- SHA-256: the token itself is not stored
  token_hash bytea primary key,
  -- names the sign-in to its owner
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- as the browser named itself, cut short
  user_agent text,
  -- when the person behind the sign-in last proved their identity
  confirmed_at timestamptz,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index sessions_id on sessions (id);
create index sessions_user on sessions (user_id);

-- Failed sign-ins; they expire one by one.
create table login_failures (
  -- 'account:…' or 'address:…', hashed
  key bytea primary key,
  -- the hash of the account's e-mail, so that its failures from everywhere can be forgiven
  account bytea,
  -- when none of them counts any more
  drained_at timestamptz not null
);
create index login_failures_account on login_failures (account);

-- Second factors of teachers and administrators --------------------------------

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- base64url, as browsers name it
  credential_id text not null unique,
  public_key bytea not null,
  -- of signatures, as the authenticator counts them; 0: it does not count
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

create table totp_secrets (
  user_id uuid primary key references users on delete cascade,
  secret bytea not null,
  -- the newest 30-second step whose code was used: neither it nor an older one works again
  last_step bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  -- SHA-256; a used code is deleted
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- What a second step or an enrolment answers; short-lived and used once.
create table factor_challenges (
  -- SHA-256 of what the device holds
  id_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('signIn', 'confirmation', 'totp', 'passkey')),
  -- the sign-in that it belongs to; null: there is none yet
  session_hash bytea references sessions (token_hash) on delete cascade,
  -- the password that opened a sign-in: with another one it ends
  password_hash text,
  -- where the first step was made, as SHA-256: each address has its own open steps
  origin_hash bytea,
  -- base64url, for passkeys
  webauthn_challenge text,
  -- of an authenticator app that is not confirmed yet
  totp_secret bytea,
  -- codes tried in this step: when the right proof follows in it, its owner entered them
  tries int not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index factor_challenges_user on factor_challenges (user_id, created_at);
create index factor_challenges_session on factor_challenges (session_hash);

-- Wrong codes of an account.
create table factor_failures (
  user_id uuid primary key references users on delete cascade,
  -- in the present window
  window_start timestamptz not null,
  failures int not null,
  -- since the last lift: above a limit codes are refused for good
  total int not null default 0
);

-- Roles that must have a second factor.
create table factor_requirements (
  role smallint primary key check (role in (1, 2)),
  required_at timestamptz not null
);

-- Administration ---------------------------------------------------------------

-- Who did what. Names are read from accounts and projects, so that an erasure reaches them here too.
create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  actor_id uuid references users on delete set null,
  act text not null,
  subject_kind text check (subject_kind in ('user', 'project', 'test', 'attempt', 'group')),
  subject_id uuid,
  -- the person concerned: the target of the act, the owner of the attempt, the account of a sign-in
  person_id uuid,
  -- words and numbers of the act, never names or passwords
  details jsonb not null default '{}',
  -- where a sign-in came from; null: of another act, of an erased person, or long ago
  address text,
  -- refused sign-ins of one hour are one row
  times int not null default 1,
  last_at timestamptz,
  -- what such a row gathers; null: the row is one act, or gathers no more
  gathers text
);
create index audit_log_at on audit_log (at desc, id desc);
create index audit_log_subject on audit_log (subject_id);
create index audit_log_actor on audit_log (actor_id) where actor_id is not null;
create unique index audit_log_gathers on audit_log (gathers) where gathers is not null;
create index audit_log_person on audit_log (person_id) where person_id is not null;
create index audit_log_address on audit_log (at) where address is not null or gathers is not null;
create index audit_log_unknown on audit_log (at) where gathers is not null and person_id is null;

-- An act stays as it was recorded: the role of the running server cannot change the trigger, nor what an act says.
create function refuse_changed_act() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- A day less than the least AUDIT_DAYS: clocks differ.
    if old.at > now() - interval '29 days' then
      raise exception 'acts of the last 29 days are not deleted' using errcode = 'insufficient_privilege';
    end if;
    return old;
  end if;
  -- An erasure removes the actor and the address, repeated acts are counted.
  if (new.id, new.at, new.act, new.subject_kind, new.subject_id, new.person_id)
      is distinct from (old.id, old.at, old.act, old.subject_kind, old.subject_id, old.person_id)
    or new.actor_id is not null and new.actor_id is distinct from old.actor_id
    or new.address is not null and new.address is distinct from old.address
    or new.times < old.times
    or new.last_at < old.last_at
    or not new.details @> old.details
  then
    raise exception 'recorded acts do not change' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_changed_act();

-- Replies to batches of an import: a repeat creates no account twice.
create table import_batches (
  -- derived from the caller's key; the key itself opens `passwords` and is not stored
  id uuid primary key,
  actor_id uuid not null references users on delete cascade,
  -- SHA-256 of the rows
  digest bytea not null,
  -- the result of each row, without names and passwords
  reply jsonb not null,
  -- generated passwords, sealed; null: none, or they were shown long enough ago
  passwords bytea,
  created_at timestamptz not null
);
create index import_batches_actor on import_batches (actor_id);

-- Classes ----------------------------------------------------------------------

create table groups (
  id uuid primary key,
  name text not null,
  owner_id uuid not null references users,
  join_code text unique,
  created_at timestamptz not null
);
create index groups_owner on groups (owner_id);

create table group_members (
  group_id uuid not null references groups on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- joined with the code, created by the teacher, or picked from the accounts of the school
  via text not null default 'picked' check (via in ('code', 'generated', 'picked')),
  added_by uuid references users on delete set null,
  -- what was true then, whatever the account is now
  added_by_admin boolean not null default false,
  added_at timestamptz not null default now(),
  primary key (group_id, user_id)
);
create index group_members_user on group_members (user_id);
create index group_members_added_by on group_members (added_by) where added_by is not null;

-- How students came whom a teacher removed: one who is added again is the same student to the class.
create table former_members (
  group_id uuid not null references groups on delete cascade,
  user_id uuid not null references users on delete cascade,
  via text not null check (via in ('code', 'generated', 'picked')),
  added_by_admin boolean not null,
  primary key (group_id, user_id)
);
create index former_members_of_user on former_members (user_id);

-- Tests ------------------------------------------------------------------------

create table tests (
  id uuid primary key,
  owner_id uuid not null references users,
  lifecycle text not null default 'draft' check (lifecycle in ('draft', 'active', 'archived')),
  -- rises with every edit of the test; a stale one is refused
  version integer not null default 1,
  -- of the last change of anything but the questions: an edit of questions alone does not
  -- get in the way of settings that somebody types meanwhile
  fields_version integer not null default 1,
  name text not null,
  description text not null default '',
  theme text not null default '',
  topic text not null default '',
  difficulty text not null default '',
  -- of the questions; empty: that of the subject
  language text not null default '',
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
  -- the last moment at which a part of the results was shown at once; null: it still is, or never was.
  -- A teacher may hide what students have seen
  results_shown_until timestamptz,
  -- the version of the questions that the next attempt pins
  content_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references users on delete set null
);
create index tests_owner on tests (owner_id);
create index tests_open on tests (lifecycle) where open_to_all;

-- Questions with keys. Their texts never change: attempts pin them.
create table test_contents (
  id uuid primary key,
  test_id uuid not null references tests on delete cascade,
  questions jsonb not null,
  max_points numeric(9, 2) not null,
  -- questions that one attempt is asked
  asked integer,
  -- the content that replaced this one when its key was corrected. Attempts that a restore makes again
  -- from receipts of before follow it, so that no old key comes back
  corrected_to uuid references test_contents,
  -- the content whose alternatives were drawn, and which draw this is; null: nothing was drawn
  drawn_from uuid references test_contents on delete set null,
  drawn_number integer,
  -- draws given out of this content so far: everybody gets the next one
  draws_given integer not null default 0,
  created_at timestamptz not null,
  constraint test_contents_drawn unique (drawn_from, drawn_number)
);
create index test_contents_test on test_contents (test_id);
create index test_contents_corrected on test_contents (corrected_to) where corrected_to is not null;
alter table tests add constraint tests_content foreign key (content_id) references test_contents;

-- What editors type, apart from what attempts get. No row: the same as the newest content.
create table test_drafts (
  test_id uuid primary key references tests on delete cascade,
  -- rises with every stored edit
  version integer not null,
  questions jsonb not null,
  updated_at timestamptz not null,
  updated_by uuid references users on delete set null
);

-- How a test was assembled last, with its seed.
create table test_generations (
  test_id uuid primary key references tests on delete cascade,
  generation jsonb not null,
  updated_at timestamptz not null
);

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

-- One person's own time, dates and attempts on a test; null: as for everybody.
create table personal_terms (
  test_id uuid not null references tests on delete cascade,
  user_id uuid not null references users on delete cascade,
  extra_seconds integer not null default 0 check (extra_seconds >= 0),
  attempts_count integer check (attempts_count >= 1),
  start_time timestamptz,
  end_time timestamptz,
  primary key (test_id, user_id)
);

-- Minutes given to several attempts at once: a repeated call has no second effect.
create table time_grants (
  key uuid primary key,
  test_id uuid not null references tests on delete cascade,
  actor_id uuid references users on delete set null,
  at timestamptz not null,
  minutes integer not null,
  reply jsonb not null
);
create index time_grants_actor on time_grants (actor_id) where actor_id is not null;

-- Sharing ----------------------------------------------------------------------

-- Colleagues who work with an owner's test, class or bank. Access ends with the row.
create table test_shares (
  test_id uuid not null references tests on delete cascade,
  user_id uuid not null references users,
  level text not null check (level in ('results', 'grade', 'edit')),
  created_at timestamptz not null,
  primary key (test_id, user_id)
);
create index test_shares_of_user on test_shares (user_id);

create table group_shares (
  group_id uuid not null references groups on delete cascade,
  user_id uuid not null references users,
  level text not null check (level = 'edit'),
  created_at timestamptz not null,
  primary key (group_id, user_id)
);
create index group_shares_of_user on group_shares (user_id);

create table bank_shares (
  owner_id uuid not null references users,
  user_id uuid not null references users,
  level text not null check (level = 'results'),
  created_at timestamptz not null,
  primary key (owner_id, user_id)
);
create index bank_shares_of_user on bank_shares (user_id);

-- Passing ----------------------------------------------------------------------

create table attempts (
  id uuid primary key,
  test_id uuid not null references tests,
  user_id uuid not null references users on delete cascade,
  content_id uuid not null references test_contents,
  number integer not null,
  -- begun by a teacher or an administrator: a later change of the person's role does not change it
  trial boolean not null default false,
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
create index attempts_test on attempts (test_id) where deleted_at is null;
create index attempts_open on attempts (deadline) where ended is null and deleted_at is null;
create index attempts_content on attempts (content_id);

-- Holdings of an attempt by installations; the highest epoch owns it.
create table streams (
  attempt_id uuid not null references attempts on delete cascade,
  id uuid not null,
  epoch integer not null,
  created_at timestamptz not null,
  last_heard_at timestamptz not null,
  -- highest sequence that the device reported, and when it reported it
  head integer not null default 0,
  head_at timestamptz,
  -- when the head rose to its present value: since then what lies below it may be missing
  head_since timestamptz,
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
create index start_keys_created on start_keys (created_at);

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
  -- it came when its student could have seen the result: only the teacher lets it count, no age and no
  -- added minutes
  after_result boolean not null default false,
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
create index operations_held on operations (attempt_id) where outcome = 'held' and kind = 'answer';
create index operations_decided_by on operations (decided_by) where decided_by is not null;

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

-- Uploads of file answers. Bytes lie on disk until complete, then among the blobs: `received` of them are good.
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
create index uploads_sha256 on uploads (sha256);

-- Grading ----------------------------------------------------------------------

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
create index grades_graded_by on grades (graded_by);

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
create index grade_changes_actor on grade_changes (actor_id) where actor_id is not null;

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
create index score_changes_actor on score_changes (actor_id) where actor_id is not null;

-- A wrong key that was corrected after attempts were made. Contents stay as they are: attempts are led
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
create index key_corrections_actor on key_corrections (actor_id) where actor_id is not null;

-- Pictures and recordings of questions -----------------------------------------

-- They belong to the account that sent them; tests that show one lend it to their readers.
create table pictures (
  -- opaque
  key uuid primary key,
  test_id uuid references tests on delete set null,
  owner_id uuid references users on delete set null,
  mime_type text not null,
  -- Not compressed: recordings are read in pieces, and each would unpack the bytes from their beginning.
  bytes bytea storage external not null,
  -- of the bytes as they were sent
  digest bytea,
  -- since when nothing names it; null: something does, or nobody has looked yet
  unnamed_since timestamptz,
  created_at timestamptz not null
);
create index pictures_owner on pictures (owner_id) where owner_id is not null;
create unique index pictures_digest on pictures (owner_id, digest) where digest is not null;

create table picture_uses (
  key uuid not null references pictures on delete cascade,
  test_id uuid not null references tests on delete cascade,
  primary key (key, test_id)
);
create index picture_uses_test on picture_uses (test_id);

-- Teachers whose tests got a picture that somebody else sent: with a question of a colleague's bank, or by an editor.
-- The question is in their bank, and shows the picture there whatever becomes of the test and of the other bank.
create table picture_holders (
  key uuid not null references pictures on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (key, user_id)
);
create index picture_holders_of_user on picture_holders (user_id);

-- The bank: every question of a teacher, as it was written last ----------------

create table bank_entries (
  owner_id uuid not null references users on delete cascade,
  -- the same in every test that uses the question
  entry_id uuid not null,
  question jsonb not null,
  -- where the question names neither topic nor difficulty, those of the test that it was written in
  theme text not null default '',
  topic text not null default '',
  difficulty text not null default '',
  kind text not null,
  tags text[] not null default '{}',
  -- searched text: plain, in lower case, ё as е
  words text not null,
  -- of the question as it was written last, whatever its position
  digest text not null default '',
  updated_at timestamptz not null,
  -- removed by hand: tests that use it do not bring it back
  removed_at timestamptz,
  primary key (owner_id, entry_id)
);
-- All that the unfiltered list needs, so that wide rows are read for the shown page alone.
create index bank_entries_new on bank_entries (owner_id, updated_at desc, entry_id desc)
  where removed_at is null;

-- Which question of which test is which entry; `is_current`: the test has it now. Retained when the test
-- has it no more: past attempts still show how hard it was.
create table bank_uses (
  test_id uuid not null references tests on delete cascade,
  question_id uuid not null,
  owner_id uuid not null,
  entry_id uuid not null,
  is_current boolean not null default true,
  -- of the question as this test has it
  digest text not null default '',
  -- graded ended attempts that were asked it, and the sum of their shares of its points
  attempts integer not null default 0,
  share_sum double precision not null default 0,
  primary key (test_id, question_id),
  foreign key (owner_id, entry_id) references bank_entries on delete cascade
);
create index bank_uses_entry on bank_uses (owner_id, entry_id);

-- The ended attempts that the figures of a test's uses include.
create table bank_figures (
  test_id uuid primary key references tests on delete cascade,
  fingerprint text not null
);

create table question_templates (
  owner_id uuid not null references users on delete cascade,
  id uuid not null,
  version integer not null default 1,
  body jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (owner_id, id)
);

-- Files by content and projects ------------------------------------------------

-- What the blob store holds, by the SHA-256 of its bytes.
create table blobs (
  sha256 bytea primary key,
  size bigint not null,
  created_at timestamptz not null,
  -- since when nothing names it; null: something does, or nobody has looked yet
  unnamed_since timestamptz
);

create table projects (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  name text not null,
  short_description text not null,
  description text not null,
  landing_url text not null,
  -- removed from the showcase
  hidden_at timestamptz,
  views integer not null default 0,
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index projects_owner on projects (owner_id);

create table project_files (
  -- opens the file at GET /api/Files/file; another one whenever the file is replaced
  key uuid primary key,
  project_id uuid not null references projects on delete cascade,
  role text not null check (role in ('logo', 'documentation')),
  sha256 bytea not null references blobs,
  name text not null,
  mime_type text not null,
  size integer not null,
  created_at timestamptz not null,
  unique (project_id, role)
);
create index project_files_blob on project_files (sha256);

-- One view a person and day of the school.
create table project_views (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  day date not null,
  primary key (project_id, user_id, day)
);
create index project_views_user on project_views (user_id);

create table project_ratings (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  stars smallint not null check (stars between 1 and 5),
  updated_at timestamptz not null,
  primary key (project_id, user_id)
);
create index project_ratings_user on project_ratings (user_id);

-- A rating that goes with its erased account leaves the sums, too.
create function forget_rating() returns trigger language plpgsql as $$
begin
  update projects set rating_sum = rating_sum - old.stars, rating_count = rating_count - 1
  where id = old.project_id;
  return null;
end $$;
create trigger project_rating_gone after delete on project_ratings
  for each row execute function forget_rating();
