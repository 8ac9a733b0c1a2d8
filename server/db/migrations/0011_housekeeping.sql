-- Old contents are dropped where no attempt pins them and no mended key leads to them.
create index attempts_content on attempts (content_id);
create index test_contents_corrected on test_contents (corrected_to) where corrected_to is not null;
-- Start keys are kept for a stated time.
create index start_keys_created on start_keys (created_at);
