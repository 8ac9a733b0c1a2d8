-- The last moment at which a part of the results was shown at once; null: it never stopped being so,
-- or never was. A teacher may hide what students have seen.
alter table tests add column results_shown_until timestamptz;

-- It came when its student could have seen the result: no age and no added minutes let it count, only
-- the teacher does.
alter table operations add column after_result boolean not null default false;
