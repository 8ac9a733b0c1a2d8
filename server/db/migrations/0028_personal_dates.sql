-- A make-up test: one person's own opening and closing in place of the test's; null: as for everybody.
alter table personal_terms
  add column start_time timestamptz,
  add column end_time timestamptz;
