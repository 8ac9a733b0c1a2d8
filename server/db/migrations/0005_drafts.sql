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

-- The version of the last change of anything but the questions: an edit of questions alone does not
-- get in the way of settings that somebody types meanwhile.
alter table tests add column fields_version integer not null default 1;
update tests set fields_version = version;

-- Pictures belong to whoever sent them; tests that show one lend it to their readers.
alter table pictures
  alter column test_id drop not null,
  drop constraint pictures_test_id_fkey,
  add foreign key (test_id) references tests on delete set null,
  add column owner_id uuid references users on delete set null,
  -- of the bytes as they were sent
  add column digest bytea;
update pictures p set owner_id = t.owner_id from tests t where t.id = p.test_id;
create unique index pictures_digest on pictures (owner_id, digest) where digest is not null;

create table picture_uses (
  key uuid not null references pictures on delete cascade,
  test_id uuid not null references tests on delete cascade,
  primary key (key, test_id)
);
create index picture_uses_test on picture_uses (test_id);
insert into picture_uses (key, test_id) select key, test_id from pictures;

