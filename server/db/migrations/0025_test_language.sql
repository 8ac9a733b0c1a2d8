-- The language of the questions; empty: that of the subject.
alter table tests add column language text not null default '';
