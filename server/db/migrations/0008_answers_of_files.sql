-- An answer of a plain file, which can be edited by hand: only the teacher lets it count, no added minutes and no
-- accepted begin.
alter table operations add column by_file boolean not null default false;
