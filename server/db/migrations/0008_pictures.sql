-- Since when nothing names a picture; null: something does, or nobody has looked yet.
alter table pictures add column unnamed_since timestamptz;
