-- Minutes back: when the server ran, and which time of an attempt is settled.

-- Periods in which the server ran; the time between two of them is an outage.
create table server_uptime (
  started_at timestamptz primary key,
  last_seen_at timestamptz not null
);

-- Periods of an attempt that nobody gives back any more: given back already, or after a deadline that was moved
-- when it had passed.
create table settled_periods (
  attempt_id uuid not null references attempts on delete cascade,
  began_at timestamptz not null,
  ended_at timestamptz not null
);
create index settled_periods_attempt on settled_periods (attempt_id);

-- Null: each attempt got its own minutes.
alter table time_grants alter column minutes drop not null;
