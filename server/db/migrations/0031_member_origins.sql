-- Whether an administrator added the member: what was true then, whatever the account is now.
alter table group_members add column added_by_admin boolean not null default false;
update group_members m set added_by_admin = true from users u where u.id = m.added_by and u.role = 1;

-- How students came whom a teacher removed: one who is added again is the same student to the class.
create table former_members (
  group_id uuid not null references groups on delete cascade,
  user_id uuid not null references users on delete cascade,
  via text not null check (via in ('code', 'generated', 'picked')),
  added_by_admin boolean not null,
  primary key (group_id, user_id)
);
create index former_members_of_user on former_members (user_id);
