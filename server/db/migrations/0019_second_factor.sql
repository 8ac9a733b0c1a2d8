-- Second factors of teachers and administrators --------------------------------------

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- base64url, as browsers name it
  credential_id text not null unique,
  public_key bytea not null,
  -- of signatures, as the authenticator counts them; 0: it does not count
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

create table totp_secrets (
  user_id uuid primary key references users on delete cascade,
  secret bytea not null,
  -- the newest 30-second step whose code was used: neither it nor an older one works again
  last_step bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  -- SHA-256; a used code is deleted
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- What a second step or an enrolment answers; short-lived and used once.
create table factor_challenges (
  -- SHA-256 of what the device holds
  id_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('signIn', 'confirmation', 'totp', 'passkey')),
  -- the sign-in that asked; null: there is none yet
  session_hash bytea references sessions (token_hash) on delete cascade,
  -- the password that opened a sign-in: with another one it ends
  password_hash text,
  -- base64url, for passkeys
  webauthn_challenge text,
  -- of an authenticator app that is not confirmed yet
  totp_secret bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index factor_challenges_user on factor_challenges (user_id, created_at);
create index factor_challenges_session on factor_challenges (session_hash);

-- Wrong codes of an account in a window.
create table factor_failures (
  user_id uuid primary key references users on delete cascade,
  window_start timestamptz not null,
  failures int not null
);

-- Roles that must have a second factor.
create table factor_requirements (
  role smallint primary key check (role in (1, 2)),
  required_at timestamptz not null
);

-- When the person behind a sign-in last proved to be who he is.
alter table sessions add column confirmed_at timestamptz;
