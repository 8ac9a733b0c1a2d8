-- Teachers whose tests got a picture that somebody else sent: with a question of a colleague's bank, or by an editor.
-- The question is in their bank, and shows the picture there whatever becomes of the test and of the other bank.
create table picture_holders (
  key uuid not null references pictures on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (key, user_id)
);
create index picture_holders_of_user on picture_holders (user_id);
insert into picture_holders (key, user_id)
select distinct u.key, t.owner_id
from picture_uses u
  join pictures p on p.key = u.key
  join tests t on t.id = u.test_id
where p.owner_id is distinct from t.owner_id;
