-- The content that took the place of this one when its key was mended. Attempts that a restore makes
-- again from receipts of before follow it, so that no old key comes back.
alter table test_contents add column corrected_to uuid references test_contents;
