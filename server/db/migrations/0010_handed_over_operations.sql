-- An operation that a handover brought: its arrival is no sign that its device was in contact.
alter table operations add column by_handover boolean not null default false;
