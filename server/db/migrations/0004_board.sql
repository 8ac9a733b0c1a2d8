-- Live view ------------------------------------------------------------------

alter table streams
  -- when the head rose to what it is: since then what lies below it may be missing
  add column head_since timestamptz;
