-- Wrong codes of the second step since the last lift: above a limit codes are refused for good.
alter table factor_failures add column total int not null default 0;
-- Codes tried in a step: when the right proof follows in it, they were its owner's.
alter table factor_challenges add column tries int not null default 0;
