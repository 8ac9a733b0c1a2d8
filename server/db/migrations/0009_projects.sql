-- Files by content ---------------------------------------------------------------

-- What the blob store keeps, by the SHA-256 of its bytes.
create table blobs (
  sha256 bytea primary key,
  size bigint not null,
  created_at timestamptz not null,
  -- since when nothing names it; null: something does, or nobody has looked yet
  unnamed_since timestamptz
);

-- Projects -----------------------------------------------------------------------

create table projects (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  name text not null,
  short_description text not null,
  description text not null,
  landing_url text not null,
  -- taken off the showcase
  hidden_at timestamptz,
  views integer not null default 0,
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index projects_owner on projects (owner_id);

create table project_files (
  -- opens the file at GET /api/Files/file; another one whenever the file is replaced
  key uuid primary key,
  project_id uuid not null references projects on delete cascade,
  role text not null check (role in ('logo', 'documentation')),
  sha256 bytea not null references blobs,
  name text not null,
  mime_type text not null,
  size integer not null,
  created_at timestamptz not null,
  unique (project_id, role)
);
create index project_files_blob on project_files (sha256);

-- One view a person and day of the school.
create table project_views (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  day date not null,
  primary key (project_id, user_id, day)
);
create index project_views_user on project_views (user_id);

create table project_ratings (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  stars smallint not null check (stars between 1 and 5),
  updated_at timestamptz not null,
  primary key (project_id, user_id)
);
create index project_ratings_user on project_ratings (user_id);

-- Whoever takes his rating along, as an erased account does, takes it out of the sums, too.
create function forget_rating() returns trigger language plpgsql as $$
begin
  update projects set rating_sum = rating_sum - old.stars, rating_count = rating_count - 1
  where id = old.project_id;
  return null;
end $$;
create trigger project_rating_gone after delete on project_ratings
  for each row execute function forget_rating();

-- Handed-in files lie among the blobs, too.
create index uploads_sha256 on uploads (sha256);
