-- A class may have a start code of its own, so that classes at different hours share none.
alter table start_codes
  drop constraint start_codes_pkey,
  add column id uuid not null default gen_random_uuid() primary key,
  -- null: the code of everybody whose class has none
  add column group_id uuid references groups on delete cascade,
  -- made_at changes with each renewal
  add column created_at timestamptz,
  add unique nulls not distinct (test_id, group_id);
update start_codes set created_at = made_at;
alter table start_codes alter column id drop default, alter column created_at set not null;
create index start_codes_group on start_codes (group_id) where group_id is not null;

-- The code that opens an offer; null: it was removed, like an offer of a former version it opens nothing that counts.
alter table offers add column code_id uuid references start_codes on delete set null;
update offers o set code_id = c.id from start_codes c where c.test_id = o.test_id;
create index offers_code on offers (code_id);

-- Null: the code was removed with its class.
alter table begins add column code_id uuid references start_codes on delete set null;
update begins b set code_id = c.id from attempts x join start_codes c on c.test_id = x.test_id
  where x.id = b.attempt_id;
create index begins_code on begins (code_id);
