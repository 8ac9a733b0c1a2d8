-- Working copies ---------------------------------------------------------------

-- What editors type, apart from what attempts get. No row: the same as the newest content.
create table test_drafts (
  test_id uuid primary key references tests on delete cascade,
  -- rises with every stored edit
  version integer not null,
  questions jsonb not null,
  updated_at timestamptz not null,
  updated_by uuid references users on delete set null
);

-- Pictures belong to whoever sent them; tests that show one lend it to their readers.
alter table pictures
  alter column test_id drop not null,
  add column owner_id uuid references users on delete cascade,
  add column digest bytea;
update pictures p set owner_id = t.owner_id from tests t where t.id = p.test_id;
create unique index pictures_digest on pictures (owner_id, digest) where digest is not null;

create table picture_uses (
  key uuid not null references pictures on delete cascade,
  test_id uuid not null references tests on delete cascade,
  primary key (key, test_id)
);
create index picture_uses_test on picture_uses (test_id);
