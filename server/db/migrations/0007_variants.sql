-- Alternatives: each attempt is asked one of the questions that share `variantOf` -----------------

alter table test_contents
  -- questions that one attempt is asked
  add column asked integer,
  -- the content whose alternatives were drawn, and which draw this is; null: nothing was drawn
  add column drawn_from uuid references test_contents on delete set null,
  add column drawn_number integer,
  -- draws given out of this content so far: everybody gets the next one
  add column draws_given integer not null default 0,
  add constraint test_contents_drawn unique (drawn_from, drawn_number);
update test_contents set asked = jsonb_array_length(questions);
