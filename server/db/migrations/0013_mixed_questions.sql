-- Whether questions that older versions stored were put into the form that tells nothing of their keys.
-- The server does it once, when it starts: digests and ids of that form are made by the program.
alter table server_state add column questions_mixed boolean not null default false;
