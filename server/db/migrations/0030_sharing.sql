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

-- Acts on a class.
alter table audit_log
  drop constraint audit_log_subject_kind_check,
  add constraint audit_log_subject_kind_check
    check (subject_kind in ('user', 'project', 'test', 'attempt', 'group'));
