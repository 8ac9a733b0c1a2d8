-- An epoch counts a thousand for each minute since 2026: an integer holds that until January 2030.
alter table attempts alter column active_epoch type bigint;
alter table streams alter column epoch type bigint;
alter table operations alter column epoch type bigint;
alter table answers alter column epoch type bigint;
