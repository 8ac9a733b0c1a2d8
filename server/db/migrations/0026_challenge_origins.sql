-- Where the first step of a sign-in was made, as SHA-256: each place has its own open steps.
alter table factor_challenges add column origin_hash bytea;
