-- An answer of a plain file, which can be edited by hand: only the teacher lets it count, no added minutes and no
-- accepted begin.
alter table operations add column by_file boolean not null default false;

-- Times that no device has: pages for teachers could not be shown with them.
update operations set seen_server_at = null
  where seen_server_at < '1970-01-01T00:00Z' or seen_server_at >= '10000-01-01T00:00Z';
update operations set written_at = null
  where written_at < '1970-01-01T00:00Z' or written_at >= '10000-01-01T00:00Z';
update begins set seen_server_at = null
  where seen_server_at < '1970-01-01T00:00Z' or seen_server_at >= '10000-01-01T00:00Z';
