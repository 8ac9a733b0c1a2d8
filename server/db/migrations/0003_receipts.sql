-- The school's Ed25519 keys for receipts; at most one signs.
create table receipt_keys (
  id text primary key,
  -- raw, 32 bytes
  public_key bytea not null,
  -- PKCS #8
  private_key bytea not null,
  made_at timestamptz not null,
  retired_at timestamptz
);
create unique index receipt_keys_current on receipt_keys ((true)) where retired_at is null;

-- Append-only: each digest covers all entries before it.
create table receipt_log (
  position bigint primary key,
  -- null: the attempt was erased
  attempt_id uuid references attempts on delete set null,
  receipt_digest bytea not null,
  log_digest bytea not null
);
create index receipt_log_attempt on receipt_log (attempt_id) where attempt_id is not null;

create table receipts (
  attempt_id uuid primary key references attempts on delete cascade,
  text text not null,
  signature bytea not null,
  key_id text not null references receipt_keys
);
create index receipts_key on receipts (key_id);
