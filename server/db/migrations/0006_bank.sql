-- The bank: every question of a teacher, as it was written last -----------------

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
  -- what is searched in: plain, in lower case, ё as е
  words text not null,
  -- of the question as it was written last, whatever place it stands in
  digest text not null default '',
  updated_at timestamptz not null,
  -- taken out by hand: tests that use it do not bring it back
  removed_at timestamptz,
  primary key (owner_id, entry_id)
);
-- All that the unfiltered list needs, so that wide rows are read for the shown page alone.
create index bank_entries_new on bank_entries (owner_id, updated_at desc, entry_id desc)
  where removed_at is null;

-- Which question of which test is which entry; `is_current`: the test has it now. Kept when the test
-- has it no more: past attempts still tell how hard it was.
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

-- Which ended attempts the figures of a test's uses stand on.
create table bank_figures (
  test_id uuid primary key references tests on delete cascade,
  fingerprint text not null
);

-- Templates ---------------------------------------------------------------------

create table question_templates (
  owner_id uuid not null references users on delete cascade,
  id uuid not null,
  version integer not null default 1,
  body jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (owner_id, id)
);

-- How a test was assembled last, with its seed.
create table test_generations (
  test_id uuid primary key references tests on delete cascade,
  generation jsonb not null,
  updated_at timestamptz not null
);
