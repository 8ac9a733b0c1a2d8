-- A trial: begun by a teacher or an administrator. Kept with the attempt, so that a later change of the
-- person's role leaves what was. Of stored attempts the role of today is all that is known.
alter table attempts add column trial boolean not null default false;
update attempts x set trial = true from users u where u.id = x.user_id and u.role <> 0;
