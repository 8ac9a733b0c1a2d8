-- Who did what -------------------------------------------------------------------

alter table audit_log
  -- whom it concerns: to whom it was done, whose attempt it was, whose account a sign-in was tried with
  add column person_id uuid,
  -- where a sign-in came from; null: of another act, of an erased person, or long ago
  add column address text,
  -- refused sign-ins of one hour are one row
  add column times int not null default 1,
  add column last_at timestamptz,
  -- what such a row gathers; null: the row is one act, or gathers no more
  add column gathers text,
  drop constraint audit_log_subject_kind_check,
  add constraint audit_log_subject_kind_check
    check (subject_kind in ('user', 'project', 'test', 'attempt'));

update audit_log set person_id = subject_id where subject_kind = 'user';

create unique index audit_log_gathers on audit_log (gathers) where gathers is not null;
create index audit_log_person on audit_log (person_id) where person_id is not null;
create index audit_log_address on audit_log (at) where address is not null or gathers is not null;
create index audit_log_unknown on audit_log (at) where gathers is not null and person_id is null;
